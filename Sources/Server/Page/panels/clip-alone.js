// The clip at the play head where only the cloud has it: what it is, and what can be done about it. A rule or a protection of the
// disk does not reach it until it is brought back there.
import { h, icon } from '../app/dom.js';
import { attempt, confirmLoss, note, sentence } from '../app/notices.js';
import { ask, ofCamera, query, read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { clock, parse, stamp, utc } from '../app/time.js';
import { size, t } from '../app/words.js';

const LOOK = 1000;

/// Draws the clip at a moment with `draw`; `again` draws what is there when the disk has it. False where the cloud has none any more.
export async function clipAlone(view, at, draw, again) {
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
  const order = (method) => attempt(async () => follow(await send(method, `/v1/clips/${clip.clip}/fetch`)));
  const may = site.may('operate');
  const keep = h('button', { type: 'button', onclick: () => order('POST') }, icon('lock'), t('past.keep'));
  const stop = h('button', { type: 'button', hidden: true, onclick: () => order('DELETE') }, t('past.stopKeeping'));
  const way = h('p', { role: 'status', hidden: true });
  /// How far it is; nothing where nobody has asked for it.
  const asked = async () => (await read(`/v1/cloud/fetches${query({ camera })}`)).find((one) => one.clip === clip.clip);
  /// Says how far it is, for as long as the card is there.
  const follow = (fetch) => {
    if (!way.isConnected) return;
    const { phase, why, kept } = fetch, isUnderWay = phase === 'waiting' || phase === 'fetching';
    [keep.hidden, stop.hidden, way.hidden] = [isUnderWay, !isUnderWay, phase === 'cancelled'];
    if (phase === 'kept') {
      note(t('past.kept', { id: kept }));
      const [{ labels, happened, cloud }] = view.records;
      for (const days of [labels, happened, cloud?.days]) days?.outdate();
      again();
    } else if (phase === 'failed') way.textContent = t('past.notKept', { why: sentence(why) });
    else if (isUnderWay) {
      way.textContent = [t(phase === 'waiting' ? 'past.waits' : 'past.keeping', { part: Math.floor((100 * fetch.fetchedBytes) / fetch.bytes) }), why && sentence(why)].filter(Boolean).join(' ');
      setTimeout(look, LOOK);
    }
  };
  const look = async () => {
    if (!way.isConnected) return;
    try {
      // A daemon that was started again has forgotten it.
      follow((await asked()) ?? { phase: 'cancelled' });
    } catch {
      setTimeout(look, LOOK);
    }
  };
  draw(
    h('p.cloud-note', {}, icon('cloud'), h('span', {}, h('strong', {}, t('past.clip')), ` ${stamp(from)} – ${clock(to)}, ${size(clip.bytes)}`)),
    h('p.quiet', {}, t('past.clipHelp')), way,
    may && h('p.row', {}, keep, stop, h('button', { type: 'button', onclick: remove }, icon('trash'), t('past.delete'))));
  // Somebody may have asked for it before.
  const before = await asked().catch(() => undefined);
  if (before && before.phase !== 'kept') follow(before);
  return true;
}
