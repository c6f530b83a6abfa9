// The map: every field is as large as its bytes, in the order of the file.

/** The parts of the file that have colours of their own, as few as say where the bytes are. */
function areasOf() {
  const MOST = 12;
  let areas = [file];
  for (;;) {
    const large = areas.filter(row => row.kids.filter(kid => kid.area).length > 0 && (areas.length === 1 || row.area > file.area / 3));
    large.sort((a, b) => b.area - a.area);
    const split = large.find(row => areas.length - 1 + row.kids.filter(kid => kid.area).length <= MOST);
    if (!split) break;
    areas = areas.flatMap(row => row === split ? row.kids.filter(kid => kid.area) : [row]);
  }
  return areas.filter(row => row !== file).sort((a, b) => a.start - b.start);
}

const areas = areasOf();
// The largest ones have the colours that differ most.
[...areas].sort((a, b) => b.area - a.area).forEach((row, index) => { row.hue = index; });

/** The class of the colour of a row: that of the area it lies in. */
function areaClass(row) {
  for (let up = row; up; up = up.parent) if (up.hue !== undefined) return 'h' + up.hue;
  return 'none';
}

const map = byId('map');
let mapRoot = file;
let cells = [];

/** Cuts a rectangle into strips of cells that keep the order and are as square as that allows. */
function strips(kids, x, y, width, height, put) {
  const total = kids.reduce((sum, kid) => sum + kid.size, 0);
  if (!total || width < 1 || height < 1) return;
  const scale = width * height / total;
  const wide = width >= height;
  const side = wide ? height : width;
  const worst = (sum, least, most) => Math.max(side * side * most / (sum * sum), sum * sum / (side * side * least));
  let at = wide ? x : y;
  for (let from = 0; from < kids.length;) {
    let [to, sum, least, most] = [from, 0, Infinity, 0];
    while (to < kids.length) {
      const size = Math.max(kids[to].size * scale, 1e-9);
      const next = worst(sum + size, Math.min(least, size), Math.max(most, size));
      if (to > from && next > worst(sum, least, most)) break;
      [sum, least, most] = [sum + size, Math.min(least, size), Math.max(most, size)];
      to += 1;
    }
    const thick = sum / side;
    let along = wide ? y : x;
    for (const kid of kids.slice(from, to)) {
      const long = kid.size * scale / thick;
      if (wide) put(kid, at, along, thick, long);
      else put(kid, along, at, long, thick);
      along += long;
    }
    at += thick;
    from = to;
  }
}

const MOST_CELLS = 3000;

/** What is drawn inside a row: of a long list its pages, for single items would be too small to see. */
function cellsIn(row) {
  const kids = row.isPage ? row.kids : insideOf(row).filter(kid => !kid.isMore);
  return kids.filter(kid => kid.area > 0).sort((a, b) => a.start - b.start);
}

function drawMap() {
  cells = [];
  const queue = [[mapRoot, 0, 0, map.clientWidth, map.clientHeight]];
  // The outer cells first: where there are too many, the inner ones are left out.
  for (let next = 0; next < queue.length && cells.length < MOST_CELLS; next++) {
    let [row, x, y, width, height] = queue[next];
    // What fills the field around it is drawn as one with that.
    const chain = [row];
    while (row !== mapRoot && row.own === 0 && row.kids.filter(kid => kid.area).length === 1) {
      row = row.kids.find(kid => kid.area);
      chain.push(row);
    }
    const kids = cellsIn(row);
    const isGroup = kids.length > 0;
    let inner = [x, y, width, height];
    if (row !== mapRoot) {
      const cell = make('div', 'cell area ' + areaClass(row) + (isGroup ? ' group' : '') + (chain[0].odd ? ' odd' : ''));
      Object.assign(cell.style, { left: x + 'px', top: y + 'px', width: width + 'px', height: height + 'px' });
      if (row.finding) cell.classList.add('bad', row.finding);
      if (width > 26 && height > 14) cell.append(make('b', '', chain.map(nameOf).join(' › ')), ' ', make('i', '', sizeOf(row.area)));
      cell.title = (pathOf(row) || nameOf(row)) + '\n' + bytesOf(row.area) + ', ' + percentOf(row.area, file.area);
      cell.row = row;
      for (const link of chain) link.cell = cell;
      cells.push(cell);
      const label = height > 34 && width > 40 ? 16 : 2;
      inner = [x + 2, y + label, width - 5, height - label - 3];
    }
    if (!isGroup || inner[2] < 8 || inner[3] < 8) continue;
    const parts = kids.map(kid => ({ row: kid, size: kid.area }));
    if (row.own > 0) parts.push({ row: null, size: row.own });
    strips(parts, ...inner, (part, ...box) => {
      if (part.row && box[2] >= 5 && box[3] >= 5) queue.push([part.row, ...box]);
    });
  }
  map.replaceChildren(...cells, frame);
  markMap();
  drawCrumbs();
}

function drawCrumbs() {
  const path = [];
  for (let row = mapRoot; row; row = row.page ?? row.parent) path.unshift(row);
  const buttons = path.map((row, index) => {
    const button = make('button', '', row === file ? 'whole file' : nameOf(row));
    button.type = 'button';
    button.disabled = index === path.length - 1;
    button.addEventListener('click', () => lookInto(row));
    return button;
  });
  byId('crumbs').replaceChildren(...buttons.flatMap((button, index) => index ? ['›', button] : [button]));
}

function lookInto(row) {
  mapRoot = row;
  drawMap();
}

/** The row of a cell, or the closest one around it that has one. */
function cellOf(row) {
  for (let up = row; up; up = up.page ?? up.parent) if (up.cell?.isConnected) return up.cell;
  return null;
}

/** What shows which cell is chosen: a cell itself lies below those inside it. */
const frame = make('div', 'frame');

function markMap() {
  const cell = cellOf(chosen);
  frame.hidden = !cell;
  frame.row = cell?.row ?? null;
  for (const side of ['left', 'top', 'width', 'height']) frame.style[side] = cell?.style[side] ?? '';
}

function revealInMap(row) {
  let inside = mapRoot === file;
  for (let up = row; up && !inside; up = up.page ?? up.parent) inside = up === mapRoot;
  if (!inside) lookInto(file);
  markMap();
}

map.addEventListener('click', event => {
  const cell = event.target.closest('.cell');
  if (cell) choose(cell.row.isPage ? cell.row.kids[0] : cell.row, 'map');
});
map.addEventListener('dblclick', event => {
  const row = event.target.closest('.cell')?.row;
  if (row) lookInto(row.kids.length ? row : row.parent);
});
map.addEventListener('keydown', event => {
  const cell = cellOf(chosen);
  const row = cell?.row ?? cells[0]?.row;
  if (!row) return;
  const pick = next => { if (next) choose(next.isPage ? next.kids[0] : next, 'map'); };
  const beside = by => {
    const kids = cellsIn(row.page ?? row.parent).filter(kid => kid.cell?.isConnected);
    pick(kids[kids.indexOf(row) + by]);
  };
  const keys = {
    ArrowRight: () => beside(1), ArrowLeft: () => beside(-1),
    ArrowDown: () => pick(cellsIn(row).find(kid => kid.cell?.isConnected)),
    ArrowUp: () => { if (row.parent !== mapRoot && row.parent !== file) choose(row.parent, 'map'); },
    Enter: () => { if (row.kids.length) lookInto(row); },
    Escape: () => lookInto(mapRoot.parent ?? file),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
new ResizeObserver(() => requestAnimationFrame(drawMap)).observe(map);

function drawLegend() {
  const entry = (classes, name, size, row) => {
    const item = make('li', '');
    const button = make('button', '');
    button.type = 'button';
    button.append(make('span', 'area ' + classes), name + ' ', make('small', '', sizeOf(size) + ' · ' + percentOf(size, file.area)));
    if (row) button.addEventListener('click', () => choose(row, 'legend'));
    else button.disabled = true;
    item.append(button);
    return item;
  };
  const MOST = 8;
  const largest = [...areas].sort((a, b) => b.area - a.area);
  const items = largest.slice(0, MOST).map(row => entry('h' + row.hue, pathOf(row) || nameOf(row), row.area, row));
  const small = largest.slice(MOST);
  if (small.length) items.push(entry('none', small.length + ' smaller ones', sum(small.map(row => row.area)), null));
  const rest = file.area - sum(areas.map(row => row.area));
  if (rest > 0) items.push(entry('none', 'between them', rest, null));
  byId('legend').replaceChildren(...items);
}

/** The whole file in one line: what covers most of each thousandth. */
function drawStrip() {
  const strip = byId('strip');
  const parts = [];
  const PARTS = 1000;
  let run = 0;
  for (let part = 0; part < PARTS && data.size; part++) {
    const [start, end] = [part * data.size / PARTS, (part + 1) * data.size / PARTS];
    const shares = new Map();
    while (run > 0 && runs[run].start > start) run -= 1;
    for (; run < runs.length && runs[run].start < end; run++) {
      const share = Math.min(end, runs[run].end) - Math.max(start, runs[run].start);
      const name = areaClass(runs[run].row);
      shares.set(name, (shares.get(name) ?? 0) + share);
      if (runs[run].end > end) break;
    }
    const [name] = [...shares].sort((a, b) => b[1] - a[1])[0] ?? ['none'];
    const last = parts[parts.length - 1];
    if (last?.name === name) last.to = part + 1;
    else parts.push({ name, from: part, to: part + 1 });
  }
  const place = (element, from, to) => {
    element.style.left = 100 * from + '%';
    element.style.width = 100 * (to - from) + '%';
    return element;
  };
  strip.replaceChildren(...parts.map(part => place(make('div', 'area ' + part.name), part.from / PARTS, part.to / PARTS)));
  for (const found of findings) {
    const tick = make('div', 'tick ' + found.severity);
    tick.style.left = 'min(' + 100 * found.start / Math.max(1, data.size) + '%, 100% - 3px)';
    strip.append(tick);
  }
  strip.append(make('div', 'choice'), make('div', 'window'));
}

/** Shows on the strip where a range lies. */
function markStrip(name, start, end) {
  const mark = byId('strip').querySelector('.' + name);
  if (!mark || !data.size) return;
  mark.style.left = 'min(' + 100 * start / data.size + '%, 100% - 4px)';
  mark.style.width = 100 * (end - start) / data.size + '%';
}

byId('strip').addEventListener('click', event => {
  const box = byId('strip').getBoundingClientRect();
  const at = Math.floor(data.size * (event.clientX - box.left) / box.width);
  goTo(Math.max(0, Math.min(data.size - 1, at)));
});
