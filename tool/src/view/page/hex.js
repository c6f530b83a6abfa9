// The bytes. Where the page does not have them, a line says how many are left out.

const LINE = 16;

/** Runs of bytes that the page has, and of those that it has not, by line. */
const blocks = [];
{
  let at = 0;
  let line = 0;
  const gap = end => {
    if (end > at) blocks.push({ start: at, end, line: line++, bytes: null });
  };
  for (const [start, text] of data.bytes) {
    gap(start);
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    blocks.push({ start, end: start + bytes.length, line, bytes });
    line += Math.ceil(bytes.length / LINE);
    at = start + bytes.length;
  }
  gap(data.size);
  blocks.lines = line;
}

const blockAt = at => blocks[lastBefore(blocks, at)];

function lineOf(at) {
  const block = blockAt(at);
  return !block ? 0 : block.bytes ? block.line + Math.floor((at - block.start) / LINE) : block.line;
}

function blockOfLine(line) {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (blocks[mid].line <= line) low = mid + 1;
    else high = mid;
  }
  return blocks[low - 1];
}

let cursor = null;
let marked = [0, 0];
/** Whether what is chosen has fields inside: then it is shown more softly. */
let isGroup = false;

/** Where errors are, in order and without overlaps. */
const wrong = [];
for (const found of findings.filter(found => found.severity === 'error').sort((a, b) => a.start - b.start)) {
  const last = wrong[wrong.length - 1];
  const end = Math.max(found.end, found.start + 1);
  if (last && found.start <= last.end) last.end = Math.max(last.end, end);
  else wrong.push({ start: found.start, end });
}
const isWrong = at => at < (wrong[lastBefore(wrong, at)]?.end ?? 0);

function kindOfByte(byte) {
  if (byte === 0) return 'zero';
  if (byte > 0x20 && byte < 0x7f) return 'print';
  return byte < 0x80 ? 'white' : 'high';
}

function byteLine(index) {
  const line = make('div', 'line');
  if (index === blocks.lines) {
    line.classList.add('end');
    line.classList.toggle('chosen', marked[0] >= data.size);
    line.textContent = 'the file ends here';
    return line;
  }
  const block = blockOfLine(index);
  if (!block.bytes) {
    line.classList.add('gap');
    line.classList.toggle('chosen', block.start < marked[1] && block.end > marked[0]);
    line.textContent = bytesOf(block.end - block.start) + ' are not in this page';
    line.at = block.start;
    return line;
  }
  const from = (index - block.line) * LINE;
  const bytes = block.bytes.subarray(from, from + LINE);
  const at = block.start + from;
  line.at = at;
  line.append(make('span', 'at', at.toString(16).padStart(8, '0')), ' ');
  const texts = [];
  let run = runAt(at);
  bytes.forEach((byte, place) => {
    const here = at + place;
    while (run + 1 < runs.length && runs[run + 1].start <= here) run += 1;
    let classes = ' ' + kindOfByte(byte);
    if (run % 2) classes += ' odd';
    if (here >= marked[0] && here < marked[1]) classes += isGroup ? ' chosen group' : ' chosen';
    if (isWrong(here)) classes += ' wrong';
    if (here === cursor) classes += ' cursor';
    const cell = make('span', 'byte' + (place === 8 ? ' mid' : '') + classes, byte.toString(16).padStart(2, '0'));
    cell.at = here;
    const text = make('span', 'char' + classes, byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte === 0 ? '·' : '•');
    text.at = here;
    line.append(cell);
    texts.push(text);
  });
  line.append(' '.repeat(3 * (LINE - bytes.length) + (bytes.length <= 8 ? 1 : 0) + 2), ...texts);
  return line;
}

const hex = new Lines(byId('hex'), byteLine);
hex.count = blocks.lines + 1;
hex.drawn = (first, last) => {
  last = Math.min(last, blocks.lines);
  if (last <= first) return;
  const [from, to] = [blockOfLine(first), blockOfLine(last - 1)];
  const start = from.bytes ? from.start + (first - from.line) * LINE : from.start;
  const end = to.bytes ? Math.min(to.end, to.start + (last - to.line) * LINE) : to.end;
  markStrip('window', start, end);
};

function revealInHex(start, end, group = false) {
  marked = [start, end];
  isGroup = group;
  hex.show(start < data.size ? lineOf(start) : blocks.lines);
}

/** Chooses the field that a byte belongs to. */
function goTo(at) {
  cursor = at;
  const row = rowAt(at);
  if (row === file) {
    chosen = null;
    revealInHex(at, at + 1);
    tree.later();
    markMap();
    describe(null);
  } else {
    choose(row, 'byte');
  }
  hex.show(lineOf(at));
}

hex.box.addEventListener('click', event => {
  const at = event.target.at ?? event.target.closest('.line')?.at;
  if (at !== undefined) goTo(at);
});
hex.box.addEventListener('mousemove', event => {
  const at = event.target.at;
  if (at !== undefined) event.target.title = hexOf(at) + '  ' + (rowAt(at) === file ? 'belongs to no field' : pathOf(rowAt(at)) || nameOf(rowAt(at)));
});
hex.box.addEventListener('keydown', event => {
  const at = cursor ?? marked[0];
  const page = LINE * Math.max(1, Math.floor(hex.box.clientHeight / ROW) - 1);
  const steps = {
    ArrowRight: 1, ArrowLeft: -1, ArrowDown: LINE, ArrowUp: -LINE, PageDown: page, PageUp: -page, Home: -at, End: data.size,
  };
  const step = steps[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const here = blockAt(at);
  let next = at + step;
  // What is left out is one line.
  if (here && !here.bytes && Math.abs(step) <= LINE) next = step > 0 ? here.end : here.start - 1;
  goTo(Math.max(0, Math.min(data.size - 1, next)));
});
