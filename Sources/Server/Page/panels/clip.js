// The clip at the play head: what it is, protect, delete.
import { fill, h, icon } from '../app/dom.js';
import { attempt, confirmLoss, note } from '../app/notices.js';
import { ask, query, read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { clock, parse, stamp, utc } from '../app/time.js';
import { size, t } from '../app/words.js';
import { cloudPast } from '../app/cloud-past.js';
import { cloudPart } from './cloud-parts.js';

export class ClipCard {
  constructor(view, place) {
    this.view = view;
    this.place = place;
    this.button = h('button', { type: 'button', onclick: () => this.show() }, t('clip.show'));
  }

  #draw(...content) {
    fill(this.place, h('section', {}, h('h3', {}, t('clip.title')), content.length ? content : this.button));
  }

  /// Shows the clip at the head.
  async show() {
    const at = this.view.timeline.head, { camera } = this.view;
    const found = await attempt(() => read(`/v1/clips${query({ camera, from: utc(at - 1), to: utc(at + 1), limit: 1 })}`));
    if (!found) return;
    const [clip] = found;
    if (!clip && this.view.records[0].cloudAt(at)) {
      const part = await attempt(() => cloudPast(() => import('./clip-alone.js')));
      if (part && (await attempt(() => part.clipAlone(this.view, at, (...content) => this.#draw(...content, this.button), () => this.show())))) return;
    }
    if (!clip) {
      this.#draw(h('p.quiet', {}, t('clip.none', { time: stamp(at) })), this.button);
      return;
    }
    const bytes = clip.tracks.reduce((sum, track) => sum + track.bytes, 0), end = clip.end ? clock(parse(clip.end)) : t('event.now');
    const may = site.may('operate');
    this.#draw(
      h('p', {}, h('strong', {}, t('clip.number', { id: clip.id })), ` ${stamp(parse(clip.start))} – ${end}, ${size(bytes)}`, clip.protected && [' ', icon('lock')]),
      h('p.row', {},
        h('button', { type: 'button', disabled: !may, onclick: () => this.#protect(clip, !clip.protected) }, icon('lock'), t(clip.protected ? 'clip.release' : 'clip.protect')),
        h('button', { type: 'button', disabled: !may || !clip.end || clip.protected, onclick: () => this.#delete(clip) }, icon('trash'), t('clip.delete')), this.button));
    const card = this.place.firstChild, part = await cloudPart(() => import('./clip-cloud.js')).catch(() => undefined);
    if (part) card.append(part.clipCloud(clip));
  }

  #protect(clip, isProtected) {
    return attempt(async () => {
      const set = (value) => send('PUT', `/v1/clips/${clip.id}/protected`, { protected: value });
      await set(isProtected);
      note(t(isProtected ? 'clip.protected' : 'clip.released', { id: clip.id }), { action: t('undo'), act: () => attempt(() => set(!isProtected)) });
      await this.show();
    });
  }

  async #delete(clip) {
    const lost = t('clip.lost', { from: stamp(parse(clip.start)), to: stamp(parse(clip.end)), camera: this.view.camera });
    if (!(await confirmLoss(t('clip.delete'), lost, t('clip.delete')))) return;
    await attempt(async () => {
      await ask(`/v1/clips/${clip.id}`, { method: 'DELETE' });
      note(t('clip.deleted', { id: clip.id }));
      for (const record of this.view.records) record.refresh();
      this.#draw();
    });
  }
}
