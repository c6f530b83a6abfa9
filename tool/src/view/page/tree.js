// The tree of fields. Long lists are in pages of a hundred items.

const PAGE = 100;

/** What is shown inside a row: its fields, pages of them, and a line for what is left out. */
function insideOf(row) {
  if (row.inside) return row.inside;
  let inside = row.kids;
  if (row.kids.length > PAGE + PAGE / 2) {
    inside = [];
    for (let from = 0; from < row.kids.length; from += PAGE) {
      const kids = row.kids.slice(from, from + PAGE);
      const page = {
        kids, parent: row, isPage: true, total: kids.length, kind: 'g', type: '', doc: '', inside: kids,
        name: nameOf(kids[0]) + ' … ' + nameOf(kids[kids.length - 1]), text: '',
        area: sum(kids.map(kid => kid.area)), own: 0, odd: inside.length % 2 === 0,
        start: Math.min(...kids.map(kid => kid.start)), end: Math.max(...kids.map(kid => kid.end)),
        finding: kids.map(kid => kid.finding).sort((a, b) => weights.indexOf(b) - weights.indexOf(a))[0],
      };
      for (const kid of kids) kid.page = page;
      inside.push(page);
    }
  }
  const missing = row.total - row.kids.length;
  if (missing > 0) {
    const what = missing === 1 ? ' more is' : ' more are';
    inside = [...inside, { isMore: true, parent: row, kids: [], name: '… ' + missing.toLocaleString('en') + what + ' not in this page', total: 0 }];
  }
  return row.inside = inside;
}

const open = new Set();
let shown = [];

function level(row) {
  let depth = 0;
  for (let up = row.page ?? row.parent; up && up !== file; up = up.page ?? up.parent) depth += 1;
  return depth;
}

/** Collects the lines to show, from the outside in. */
function unfold() {
  shown = [];
  const waiting = [...insideOf(file)].reverse();
  while (waiting.length) {
    const row = waiting.pop();
    shown.push(row);
    if (open.has(row)) waiting.push(...[...insideOf(row)].reverse());
  }
  shown.forEach((row, line) => { row.line = line; });
  tree.count = shown.length;
  tree.later();
}

function fieldLine(index) {
  const row = shown[index];
  const line = make('div', 'line field');
  line.id = 'line-' + index;
  line.setAttribute('role', 'treeitem');
  const depth = level(row);
  line.setAttribute('aria-level', String(depth + 1));
  line.setAttribute('aria-selected', String(row === chosen));
  if (row === chosen) line.classList.add('chosen');
  if (row.finding) line.classList.add('bad', row.finding);
  const name = make('span', '');
  name.style.paddingLeft = Math.min(depth, 24) * 14 + 'px';
  const isOpen = open.has(row);
  if (row.total > 0) line.setAttribute('aria-expanded', String(isOpen));
  name.append(make('span', 'twist', row.total > 0 ? (isOpen ? '▾' : '▸') : ''));
  name.append(make('span', matches(row) ? 'name match' : 'name', nameOf(row)));
  if (row.isMore) {
    line.classList.add('more');
    name.style.gridColumn = '1 / -1';
    name.title = data.program + ' inspect --path "' + pathOf(row.parent) + '" shows all of them';
    line.append(name);
    return line;
  }
  if (row.type && row.name && !row.isPage) name.append(make('span', 'type', '  ' + row.type));
  const value = make('span', row.kind === 'x' ? 'damaged' : row.kind === '-' ? 'absent' : row.kind, row.text);
  value.title = row.text;
  line.append(name, value, make('span', 'place', hexOf(row.start)), make('span', 'place', sizeOf(row.end - row.start)));
  return line;
}

const tree = new Lines(byId('tree'), fieldLine);

function toggle(row, wanted = !open.has(row)) {
  if (!row.total || open.has(row) === wanted) return;
  if (wanted) open.add(row);
  else open.delete(row);
  unfold();
}

/** Opens everything around a row, and brings it into sight. */
function revealInTree(row) {
  let changed = false;
  for (let up = row.parent; up && up !== file; up = up.parent) insideOf(up);
  for (let up = row.page ?? row.parent; up && up !== file; up = up.page ?? up.parent) {
    if (!open.has(up)) { open.add(up); changed = true; }
  }
  if (changed) unfold();
  tree.show(row.line);
  tree.box.setAttribute('aria-activedescendant', 'line-' + row.line);
}

tree.box.addEventListener('click', event => {
  const line = event.target.closest('.line');
  const row = line && shown[Number(line.id.slice(5))];
  if (!row || row.isMore) return;
  if (event.target.closest('.twist') || row.isPage) toggle(row);
  if (!row.isPage) choose(row, 'tree');
  else { goToLine(row); }
});
tree.box.addEventListener('dblclick', event => {
  const line = event.target.closest('.line');
  if (line && !event.target.closest('.twist')) toggle(shown[Number(line.id.slice(5))]);
});

/** Goes to a line. A page of a list is no field: nothing else shows it. */
function goToLine(row) {
  if (row.isPage || row.isMore) {
    chosen = row;
    tree.box.setAttribute('aria-activedescendant', 'line-' + row.line);
    tree.show(row.line);
  } else {
    choose(row, 'keys');
  }
}

tree.box.addEventListener('keydown', event => {
  const row = chosen ?? shown[0];
  if (!row) return;
  const step = by => {
    const line = Math.max(0, Math.min(shown.length - 1, (row.line ?? 0) + by));
    goToLine(shown[line]);
  };
  const page = Math.max(1, Math.floor(tree.box.clientHeight / ROW) - 1);
  const keys = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(page), PageUp: () => step(-page),
    Home: () => step(-shown.length), End: () => step(shown.length),
    ArrowRight: () => open.has(row) || !row.total ? step(1) : toggle(row, true),
    ArrowLeft: () => {
      const up = row.page ?? row.parent;
      if (open.has(row)) toggle(row, false);
      else if (up && up !== file) goToLine(up);
    },
    Enter: () => toggle(row), ' ': () => toggle(row),
  };
  if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  keys[event.key]();
});
