// The clip at the play head where only the cloud has it: what it is, and what can be done about it. A rule or a protection of the
// disk does not reach it.
import { h, icon } from '../app/dom.js';
import { attempt, confirmLoss, note } from '../app/notices.js';
import { ask, ofCamera, query, read } from '../app/requests.js';
import { site } from '../app/site.js';
import { clock, parse, stamp, utc } from '../app/time.js';
import { size, t } from '../app/words.js';

/// Draws the clip at a moment with `draw`; false where the cloud has none any more.
export async function clipAlone(view, at, draw) {
  const { camera } = view;
  const [clip] = await read(ofCamera(camera, `cloud/slices${query({ from: utc(at), to: utc(at + 1), alone: true })}`));
  if (!clip) return false;
  const from = parse(clip.start), to = parse(clip.end);
  const remove = async () => {
    if (!(await confirmLoss(t('past.delete'), t('past.lost', { from: stamp(from), to: stamp(to), camera }), t('past.delete')))) return;
    await attempt(async () => {
      await ask(`/v1/clips/${clip.clip}`, { method: 'DELETE' });
      note(t('past.deleted'));
      view.records[0].cloud?.days.outdate();
      draw();
    });
  };
  draw(
    h('p.cloud-note', {}, icon('cloud'), h('span', {}, h('strong', {}, t('past.clip')), ` ${stamp(from)} – ${clock(to)}, ${size(clip.bytes)}`)),
    h('p.quiet', {}, t('past.clipHelp')),
    site.may('operate') && h('p.row', {}, h('button', { type: 'button', onclick: remove }, icon('trash'), t('past.delete'))));
  return true;
}
