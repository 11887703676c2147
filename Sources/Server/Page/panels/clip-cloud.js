// Where a clip is on its way to the cloud, beside what else can be done with it.
import { fill, h, icon } from '../app/dom.js';
import { attempt, dialog, note, refusalLines } from '../app/notices.js';
import { ofCamera, query, read, send } from '../app/requests.js';
import { address } from '../app/router.js';
import { site } from '../app/site.js';
import { parse, utc } from '../app/time.js';
import { t } from '../app/words.js';
import { isMoving, isOpen, orders } from '../app/cloud.js';
import { JobState, giveUp, jobName, retry } from './upload-words.js';

const NOTE_MOST = 1000, MOVING_MS = 2000;
// A clip whose last job ended so can be sent anew.
const GONE = new Set(['cancelled', 'purged', 'deleted']);

/// What there is to tell of a clip; nothing where no cloud is configured.
export function clipCloud(clip) {
  const place = h('div.clip-cloud');
  let timer = 0;
  const ask = () => Promise.all([read(`/v1/uploads${query({ clip: clip.id, limit: 1 })}`), read(`/v1/uploads/totals${query({ camera: clip.camera })}`)]);
  let state;
  // What was found in the store, and not sent by this machine, has no job.
  const isThere = async () => (await read(ofCamera(clip.camera, `cloud/slices${query({ from: utc(parse(clip.start)), to: utc(parse(clip.start) + 1) })}`))).some((slice) => slice.clip === clip.id);
  const draw = async ([[job], { store }]) => {
    clearTimeout(timer);
    if (!job && !store) return;
    const isFound = !job && (await isThere());
    const again = () => load().catch(() => {});
    const act = (order) => async () => (await order(job)) && again();
    const { mayRetry, mayGiveUp } = job ? orders(job) : {}, may = site.may('operate');
    const maySend = may && store && clip.end && !isFound && (!job || GONE.has(job.phase));
    if (job) (state ??= new JobState(job)).draw(job);
    fill(place, h('h4', {}, t('cloud.title')), job ? state.element : h('p.quiet', {}, t(isFound ? 'push.there' : 'push.notThere')),
      h('p.row', {},
        maySend && h('button', { type: 'button', 'data-push': '', onclick: async () => (await push(clip)) && again() }, icon('cloud'), t('push.send')),
        may && mayRetry && job.phase !== 'purged' && h('button', { type: 'button', onclick: act(retry) }, icon('again'), t('uploads.retry')),
        may && mayGiveUp && h('button', { type: 'button', onclick: act(giveUp) }, icon('close'), t('uploads.giveUp')),
        job && h('a', { href: address('/uploads', { camera: clip.camera }) }, t('cloud.queue'))));
    if (job && (isMoving(job) || isOpen(job))) timer = setTimeout(() => place.isConnected && again(), MOVING_MS);
  };
  const load = async () => draw(await ask());
  attempt(load);
  return place;
}

/// Asks for a note and sends the clip; gives its job, nothing where it was left.
function push(clip) {
  return dialog(t('push.title'), (close) => {
    const text = h('textarea', { rows: 3, maxlength: NOTE_MOST, autofocus: true, 'aria-describedby': 'push-help' });
    const told = h('div', { role: 'alert' });
    const button = h('button.primary', { type: 'submit' }, t('push.send'));
    const go = async (event) => {
      event.preventDefault();
      button.disabled = true;
      try {
        const job = await send('POST', `/v1/clips/${clip.id}/upload`, text.value.trim() ? { note: text.value.trim() } : {});
        note(t('push.sent', { name: jobName(job) }));
        close(job);
      } catch (error) {
        fill(told, refusalLines(error));
        button.disabled = false;
      }
    };
    return h('form.form', { onsubmit: go },
      h('label.field', {}, h('span', {}, t('push.note')), text),
      h('p.quiet', { id: 'push-help' }, t('push.help')), told,
      h('footer', {}, h('button', { type: 'button', onclick: () => close() }, t('cancel')), button));
  });
}
