// The small picture over the timeline under the pointer.
import { h, paced } from '../app/dom.js';
import { Stills } from '../player/stills.js';

const HALF = 88;

export class Preview {
  /// `element` is where it stands.
  constructor(timeline, strips, element) {
    this.canvas = h('canvas', { hidden: true });
    this.element = element;
    element.append(this.canvas);
    this.stills = new Stills(strips, this.canvas, 320);
    const show = paced(60, (at) => this.stills.show(at));
    timeline.addEventListener('hover', ({ detail }) => {
      const isPast = detail && detail.at < Date.now() - 2000;
      this.element.hidden = !isPast || !timeline.records[0].plays(detail.at);
      if (this.element.hidden) {
        this.stills.rest();
        return;
      }
      this.element.style.left = `${Math.min(timeline.width - HALF, Math.max(HALF, detail.x))}px`;
      show(detail.at);
    });
  }
}
