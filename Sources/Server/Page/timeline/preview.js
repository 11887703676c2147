// The small picture over the timeline under the pointer.
import { h } from '../app/dom.js';
import { paced } from '../app/dom.js';
import { Stills } from '../player/stills.js';

export class Preview {
  constructor(timeline, camera) {
    this.canvas = h('canvas', { hidden: true });
    this.element = h('div.hover-picture', { hidden: true, 'aria-hidden': 'true' }, this.canvas);
    this.stills = new Stills(camera, this.canvas);
    const show = paced(60, (at) => this.stills.show(at));
    timeline.addEventListener('hover', ({ detail }) => {
      const record = timeline.records[0];
      const isPast = detail && detail.at < Date.now() - 2000;
      const label = isPast && record.labelAt(detail.at)?.label;
      this.element.hidden = label !== 'recorded';
      if (this.element.hidden) {
        this.stills.rest();
        return;
      }
      const half = 88;
      this.element.style.left = `${Math.min(timeline.width - half, Math.max(half, detail.x))}px`;
      show(detail.at);
    });
  }
}
