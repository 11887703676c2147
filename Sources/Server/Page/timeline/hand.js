// Reads what a hand does on the timeline: wheel and pinch zoom, a drag moves time, a drag of the head scrubs, a click goes there.

const CLICK = 6;

export class HandReader {
  #pointers = new Map();
  #mode = undefined;
  #start = undefined;
  #speed = 0;
  #last = undefined;
  #pinch = 0;

  constructor(element, timeline) {
    this.element = element;
    this.timeline = timeline;
    element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    for (const kind of ['pointerup', 'pointercancel']) element.addEventListener(kind, (event) => this.#up(event));
    element.addEventListener('pointerleave', () => this.timeline.hover(undefined));
  }

  #x(event) {
    return event.clientX - this.element.getBoundingClientRect().left;
  }

  #wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = (event.deltaX || event.deltaY) * unit;
      this.timeline.pan((by * this.timeline.view.span) / this.timeline.width);
      if (this.timeline.isScrubbing) this.timeline.release();
      return;
    }
    const turn = Math.max(-120, Math.min(120, event.deltaY * unit));
    this.timeline.zoom(Math.exp(turn * (event.ctrlKey ? 0.01 : 0.003)), this.timeline.at(this.#x(event)));
  }

  #down(event) {
    if (event.button) return;
    this.timeline.stopGlide();
    this.element.setPointerCapture(event.pointerId);
    const x = this.#x(event);
    this.#pointers.set(event.pointerId, x);
    if (this.#pointers.size === 2) {
      this.#mode = 'pinch';
      this.#pinch = this.#distance();
      return;
    }
    this.#start = this.#last = { x, time: event.timeStamp };
    this.#speed = 0;
    this.#mode = !this.timeline.isNarrow && this.timeline.isAtHead(x) ? 'scrub' : 'press';
    this.timeline.hover(undefined);
  }

  #distance() {
    const [a, b] = [...this.#pointers.values()];
    return Math.max(8, Math.abs(a - b));
  }

  #move(event) {
    const x = this.#x(event);
    if (!this.#pointers.has(event.pointerId)) {
      if (event.pointerType === 'mouse') this.timeline.hover(x);
      return;
    }
    this.#pointers.set(event.pointerId, x);
    if (this.#mode === 'pinch') {
      const distance = this.#distance(), [a, b] = [...this.#pointers.values()];
      this.timeline.zoom(this.#pinch / distance, this.timeline.at((a + b) / 2));
      this.#pinch = distance;
      return;
    }
    if (this.#mode === 'press' && Math.abs(x - this.#start.x) > CLICK) this.#mode = 'pan';
    if (this.#mode === 'scrub') this.timeline.scrub(this.timeline.at(x));
    if (this.#mode === 'pan') {
      this.timeline.pan((-(x - this.#last.x) * this.timeline.view.span) / this.timeline.width);
      const ms = Math.max(1, event.timeStamp - this.#last.time);
      this.#speed = 0.7 * ((x - this.#last.x) / ms) + 0.3 * this.#speed;
    }
    this.#last = { x, time: event.timeStamp };
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    const mode = this.#mode;
    if (this.#pointers.size) {
      this.#mode = 'done';
      return;
    }
    this.#mode = undefined;
    if (mode === 'press' && event.type === 'pointerup') this.timeline.goTo(this.timeline.at(this.#x(event)));
    else if (mode === 'scrub') this.timeline.release();
    else if (mode === 'pan') {
      const isFast = Math.abs(this.#speed) > 0.2 && event.timeStamp - this.#last.time < 80;
      if (isFast) this.timeline.glide(this.#speed, () => this.timeline.release());
      else this.timeline.release();
    } else this.timeline.release();
  }
}
