// What is wrong.

const SIGNS = { error: '✕', warning: '!', note: 'i' };

function drawFindings() {
  const items = findings.map(found => {
    const item = make('li', '');
    const button = make('button', found.severity);
    button.type = 'button';
    const sign = make('span', 'sign', SIGNS[found.severity] ?? '?');
    sign.setAttribute('aria-label', found.severity);
    const size = found.end > found.start ? '..' + hexOf(found.end, 1) : '';
    button.append(sign, make('span', 'what', found.message), make('span', 'where', (found.path ? found.path + ' · ' : '') + hexOf(found.start, 1) + size + ' · ' + found.code));
    button.addEventListener('click', () => chooseFinding(found));
    found.button = button;
    item.append(button);
    return item;
  });
  const counts = weights.toReversed().filter(weight => data.found[weight]);
  const total = counts.reduce((sum, weight) => sum + data.found[weight], 0);
  if (total > findings.length) items.push(make('li', 'rest', 'and ' + (total - findings.length).toLocaleString('en') + ' more; ' + data.program + ' validate shows more of them'));
  byId('findings').replaceChildren(...items);
  const words = counts.map(weight => data.found[weight].toLocaleString('en') + ' ' + weight + (data.found[weight] === 1 ? '' : 's'));
  byId('findings-note').textContent = words.length ? words.join(', ') : 'none: every rule holds';
}

let current = null;

function chooseFinding(found) {
  if (found.row) choose(found.row, 'finding');
  markFinding(found);
  cursor = found.start < data.size ? found.start : null;
  revealInHex(found.start, Math.max(found.end, found.start + 1));
}

function markFinding(found) {
  current?.button.removeAttribute('aria-current');
  current = found;
  current?.button.setAttribute('aria-current', 'true');
  current?.button.scrollIntoView({ block: 'nearest' });
}

/** The next finding, or the one before it. */
function nextFinding(by) {
  if (!findings.length) return;
  const at = current ? current.index + by : by > 0 ? 0 : -1;
  chooseFinding(findings[(at + findings.length) % findings.length]);
}
