// What is in the file: the fields as a tree, and to which of them every byte belongs.

const byId = id => document.getElementById(id);
const data = JSON.parse(byId('data').textContent);

/** A new element with a class and a text. */
function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

const sum = numbers => numbers.reduce((total, number) => total + number, 0);

const hexOf = (number, width = 8) => '0x' + number.toString(16).padStart(width, '0');

/** A number of bytes with three digits and a unit. */
function sizeOf(bytes) {
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  if (bytes < 1024) return String(bytes);
  let unit = -1;
  do { bytes /= 1024; unit += 1; } while (bytes >= 1023.95 && unit + 1 < units.length);
  return (bytes < 99.95 ? bytes.toFixed(1) : Math.round(bytes)) + ' ' + units[unit];
}

const bytesOf = bytes => bytes === 1 ? '1 byte' : bytes < 1024 ? bytes + ' bytes' : sizeOf(bytes);

function percentOf(part, whole) {
  if (whole === 0) return '';
  const share = 100 * part / whole;
  return share > 0 && share < 0.1 ? '<0.1%' : share.toFixed(1) + '%';
}

/** The file as a field around all others; nobody sees it but the map. */
const file = {
  index: -1, depth: -1, name: data.file, type: '', doc: '', start: 0, end: data.size, total: 0,
  kind: 'g', text: '', parent: null, kids: [], own: 0, area: 0, finding: null,
};

const rows = data.rows.map(([depth, name, type, doc, start, len, total, kind, text], index) => ({
  index, depth, total, start, end: start + len,
  name: typeof name === 'number' ? data.strings[name] : name,
  type: data.strings[type], doc: data.strings[doc],
  kind: kind ?? 'x', text: kind === undefined ? '(damaged)' : text ?? '',
  parent: null, kids: [], own: 0, area: 0, finding: null,
}));

// Every row stands behind the one that it lies in.
const around = [file];
for (const row of rows) {
  around.length = row.depth + 1;
  row.parent = around[row.depth] ?? file;
  row.odd = row.parent.kids.push(row) % 2 === 0;
  around.push(row);
}
file.total = file.kids.length;

/** What a row is called on a line: a whole value by its type, an item by its place. */
const nameOf = row => row.name || row.type || '(value)';

/** The type of a row; items have that of their list. */
function typeOf(row) {
  if (row.type || !row.parent) return row.type;
  const list = /(?:list of|^\d+) (.+)$/.exec(row.parent.type ?? '');
  return list ? list[1] : '';
}

/** The path of a row, as `binfmt get` takes it. */
function pathOf(row) {
  const steps = [];
  let part = '';
  for (; row && row.index >= 0; row = row.parent) {
    if (row.depth === 0) part = row.name;
    else if (row.name) steps.unshift(row.name);
  }
  const path = steps.map((step, at) => at === 0 || step.startsWith('[') ? step : '.' + step).join('');
  return part ? part + ':' + path : path;
}

/** Whether the second of two rows is the smaller one around a byte. */
function smaller(a, b) {
  const [long, short] = [a.end - a.start, b.end - b.start];
  return short < long || (short === long && b.index > a.index);
}

/** Runs of bytes in file order, each with the smallest field around it. */
function runsOf(rows, size) {
  const starts = rows.filter(row => row.end > row.start && row.start < size);
  starts.sort((a, b) => a.start - b.start || a.index - b.index);
  const points = [...new Set(starts.flatMap(row => [row.start, Math.min(row.end, size)]))];
  points.sort((a, b) => a - b);
  const heap = [];
  const runs = [];
  const add = (start, end, row) => {
    const last = runs[runs.length - 1];
    if (last && last.row === row && last.end === start) last.end = end;
    else if (end > start) runs.push({ start, end, row });
  };
  let next = 0;
  let at = 0;
  for (const point of [...points, size]) {
    add(at, point, heap.length ? heap[0] : file);
    at = point;
    while (next < starts.length && starts[next].start === point) push(heap, starts[next++]);
    while (heap.length && heap[0].end <= point) pop(heap);
  }
  return runs;
}

function push(heap, row) {
  let at = heap.push(row) - 1;
  while (at > 0) {
    const up = (at - 1) >> 1;
    if (!smaller(heap[up], heap[at])) return;
    [heap[up], heap[at]] = [heap[at], heap[up]];
    at = up;
  }
}

function pop(heap) {
  const last = heap.pop();
  if (heap.length === 0) return;
  heap[0] = last;
  for (let at = 0; ;) {
    let best = at;
    for (const down of [2 * at + 1, 2 * at + 2]) {
      if (down < heap.length && smaller(heap[best], heap[down])) best = down;
    }
    if (best === at) return;
    [heap[at], heap[best]] = [heap[best], heap[at]];
    at = best;
  }
}

const runs = runsOf(rows, data.size);
for (const run of runs) run.row.own += run.end - run.start;
for (const row of rows.toReversed()) {
  row.area += row.own;
  row.parent.area += row.area;
}
file.area += file.own;

/** The index of the last of some ordered things that does not start behind `at`; -1 if none does. */
function lastBefore(things, at) {
  let [low, high] = [0, things.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (things[mid].start <= at) low = mid + 1;
    else high = mid;
  }
  return low - 1;
}

/** The index of the run that a byte is in. */
const runAt = at => lastBefore(runs, at);
const rowAt = at => runs[runAt(at)]?.row ?? file;

const findings = data.findings.map(([severity, code, path, start, end, message, row], index) => {
  const found = { index, severity, code, path, start, end, message, row: rows[row] ?? null };
  if (!found.row) {
    const at = rowAt(Math.min(start, Math.max(0, data.size - 1)));
    found.row = at === file ? rows[0] ?? null : at;
  }
  return found;
});
const weights = ['note', 'warning', 'error'];
for (const found of findings) {
  // What lies around shows that there is something inside.
  for (let row = found.row; row && row !== file; row = row.parent) {
    if (weights.indexOf(row.finding) >= weights.indexOf(found.severity)) break;
    row.finding = found.severity;
  }
}
