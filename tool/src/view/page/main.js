// What is chosen in one part of the page is shown in the others.

let chosen = null;
let wanted = '';

/** Chooses a row; `from` says which part of the page the user is in. */
function choose(row, from) {
  chosen = row;
  if (from !== 'byte') cursor = null;
  revealInTree(row);
  revealInHex(row.start, row.end, row.total > 0);
  revealInMap(row);
  markStrip('choice', row.start, row.end);
  if (from !== 'finding') markFinding(findings.find(found => found.row === row) ?? null);
  describe(row);
  const path = pathOf(row);
  history.replaceState(null, '', '#' + encodeURIComponent(path));
}

function describe(row) {
  byId('path').textContent = row ? pathOf(row) || nameOf(row) : 'no field';
  const doc = row?.doc ?? 'The declaration says nothing about this place.';
  // Lines of a comment are no lines of a text.
  byId('doc').textContent = doc.split(/\n\s*\n/).map(text => text.replace(/\s*\n\s*(?![-*|0-9])/g, ' ')).join('\n');
  if (!row) return byId('detail').replaceChildren();
  const len = row.end - row.start;
  const facts = [
    ['type', typeOf(row)],
    ['value', row.text],
    ['place', len ? hexOf(row.start) + ' to ' + hexOf(row.end) : hexOf(row.start)],
    ['size', bytesOf(len) + (len >= 1024 ? ' (' + len.toLocaleString('en') + ' bytes)' : '') + ', ' + percentOf(len, data.size)],
  ];
  byId('detail').replaceChildren(...facts.filter(([, value]) => value).flatMap(([name, value]) => [make('dt', '', name), make('dd', '', value)]));
}

function matches(row) {
  return wanted !== '' && !row.isPage && !row.isMore && (nameOf(row).toLowerCase().includes(wanted) || row.text.toLowerCase().includes(wanted));
}

/** Goes to the next match behind what is chosen. */
function find(by) {
  const text = byId('search').value.trim();
  const offset = /^(0x[0-9a-f]+|\d+)$/i.test(text) && text.startsWith('0x') ? Number(text) : NaN;
  if (Number.isInteger(offset)) {
    wanted = '';
    byId('hits').textContent = offset < data.size ? '' : 'outside';
    if (offset < data.size) goTo(offset);
    return;
  }
  wanted = text.toLowerCase();
  const found = wanted ? rows.filter(row => matches(row) || pathOf(row).toLowerCase() === wanted) : [];
  tree.later();
  if (!found.length) {
    byId('hits').textContent = wanted ? 'none' : '';
    return;
  }
  const at = found.findIndex(row => row.index >= (chosen?.index ?? 0));
  const isHere = found[at] === chosen;
  const from = at < 0 ? found.length : at;
  const next = by === 0 ? from : by > 0 ? (isHere ? from + 1 : from) : from - 1;
  const index = (next + found.length) % found.length;
  byId('hits').textContent = (index + 1) + ' of ' + found.length;
  choose(found[index], 'search');
}

byId('search').addEventListener('input', () => find(0));
byId('find').addEventListener('submit', event => { event.preventDefault(); find(1); });
byId('search').addEventListener('keydown', event => {
  if (event.key === 'Enter' && event.shiftKey) { event.preventDefault(); find(-1); }
  if (event.key === 'Escape') { event.target.value = ''; find(0); tree.box.focus(); }
});

const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
function theme(name) {
  if (name) document.documentElement.dataset.theme = name;
  const dark = (document.documentElement.dataset.theme ?? (isDark() ? 'dark' : 'light')) === 'dark';
  byId('theme').textContent = dark ? '☀' : '☾';
  byId('theme').title = (dark ? 'Light' : 'Dark') + ' (t)';
  byId('theme').setAttribute('aria-label', dark ? 'Light colours' : 'Dark colours');
  return dark;
}
byId('theme').addEventListener('click', () => theme(theme() ? 'light' : 'dark'));
byId('keys').addEventListener('click', () => byId('help').showModal());

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, dialog *')) return;
  const keys = {
    '/': () => byId('search').focus(), '?': () => byId('help').showModal(),
    n: () => nextFinding(1), p: () => nextFinding(-1), t: () => theme(theme() ? 'light' : 'dark'),
    Backspace: () => { if (chosen?.parent && chosen.parent !== file) choose(chosen.parent, 'keys'); },
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

/** Opens fields from the outside in, as long as all of them fit on a screen. */
function openSome() {
  const waiting = [...file.kids];
  for (let lines = waiting.length; waiting.length;) {
    const row = waiting.shift();
    const inside = insideOf(row);
    if (!inside.length || lines + inside.length > 36) continue;
    lines += inside.length;
    open.add(row);
    waiting.push(...inside);
  }
  unfold();
}

function start() {
  document.title = data.file + ' · ' + data.format;
  byId('file').textContent = data.file;
  const facts = [data.format + (data.variant ? ' (' + data.variant + ')' : '') + (data.about ? ': ' + data.about : ''), bytesOf(data.size)];
  byId('facts').replaceChildren(make('span', 'verdict ' + data.verdict, data.verdict), ...facts.map(fact => make('span', '', fact)));
  const missing = rows.reduce((sum, row) => sum + Math.max(0, row.total - row.kids.length), 0);
  byId('tree-note').textContent = rows.length.toLocaleString('en') + (missing ? ' in this page' : '');
  const kept = blocks.reduce((sum, block) => sum + (block.bytes?.length ?? 0), 0);
  byId('hex-note').textContent = kept < data.size ? bytesOf(kept) + ' of ' + bytesOf(data.size) + ' are in this page' : '';
  theme();
  drawFindings();
  drawLegend();
  drawStrip();
  openSome();
  drawMap();
  const path = decodeURIComponent(location.hash.slice(1));
  const row = path && rows.find(row => pathOf(row) === path);
  if (row || file.kids[0]) choose(row || file.kids[0], 'start');
  else describe(null);
  tree.box.focus({ preventScroll: true });
}
start();
