// The band of pictures below the timeline: as many as fit, from the hours' strips. It is there when no more hours are in sight
// than strips are kept.
import { h } from '../app/dom.js';
import { HOUR } from '../app/time.js';

const HEIGHT = 56, HOURS = 8;

export class PictureBand {
  #frame = 0;

  constructor(timeline, strips) {
    this.timeline = timeline;
    this.strips = strips;
    this.canvas = h('canvas', { 'aria-hidden': 'true' });
    this.element = h('div.picture-band', {}, this.canvas);
    this.canvas.addEventListener('click', (event) => timeline.goTo(timeline.at(event.offsetX)));
    timeline.addEventListener('window', () => this.draw());
    timeline.addEventListener('moved', () => this.draw());
    strips.addEventListener('loaded', () => this.draw());
  }

  /// Draws with the next frame of the screen.
  draw() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  #paint() {
    const { view, width } = this.timeline, { canvas } = this, scale = devicePixelRatio || 1;
    if (!canvas.clientHeight) return;
    if (canvas.width !== Math.round(width * scale)) Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(HEIGHT * scale) });
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, HEIGHT);
    if (view.span > HOURS * HOUR) return;
    // Pictures lie on a grid of time, so that they move with it.
    const step = (view.span / width) * ((HEIGHT * 16) / 9 + 2);
    for (let at = Math.floor(view.from / step) * step; at < view.from + view.span; at += step) {
      if (at > Date.now()) break;
      const found = this.timeline.records[0].labelAt(at + step / 2)?.label === 'recorded' && this.strips.pictureAt(at + step / 2);
      if (!found) continue;
      const { image, tile } = found, x = ((at - view.from) / view.span) * width;
      context.drawImage(image, tile.x, tile.y, tile.width, tile.height, x, 0, (step / view.span) * width - 2, HEIGHT);
    }
  }
}
