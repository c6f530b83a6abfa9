// A list of which only the lines in sight are drawn.

const ROW = 22;

class Lines {
  /** Draws into `box`: `draw` makes the element of a line. */
  constructor(box, draw) {
    this.box = box;
    this.draw = draw;
    this.count = 0;
    this.space = make('div', 'space');
    box.append(this.space);
    this.waits = false;
    box.addEventListener('scroll', () => this.later());
    new ResizeObserver(() => this.later()).observe(box);
  }

  later() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => this.now());
  }

  now() {
    this.waits = false;
    const [first, last] = this.sight();
    const lines = [];
    for (let index = Math.max(0, first - 4); index < Math.min(this.count, last + 4); index++) {
      const line = this.draw(index);
      line.style.top = index * ROW + 'px';
      lines.push(line);
    }
    this.space.style.height = this.count * ROW + 'px';
    this.space.replaceChildren(...lines);
    this.drawn?.(first, last);
  }

  /** The first line in sight, and the one behind the last. */
  sight() {
    const first = Math.floor(this.box.scrollTop / ROW);
    return [first, Math.min(this.count, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW))];
  }

  /** Brings a line into sight, where it is not. */
  show(index) {
    this.space.style.height = this.count * ROW + 'px';
    const top = index * ROW;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop || top + ROW > scrollTop + clientHeight) {
      this.box.scrollTop = Math.max(0, top - clientHeight / 3);
    }
    this.later();
  }
}
