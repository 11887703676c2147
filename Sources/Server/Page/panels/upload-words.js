// A job of the upload queue in words, and what a person may order of it.
import { h } from '../app/dom.js';
import { attempt, confirmLoss, note, sentence } from '../app/notices.js';
import { query, send } from '../app/requests.js';
import { parse, stamp } from '../app/time.js';
import { has, number, size, t } from '../app/words.js';
import { isOpen, phaseMood, reasonParts, sentShare } from '../app/cloud.js';

/// The word of a phase in which so many jobs are; one that the page does not know stands as it is.
export const phaseName = (phase, count = 1) => (has(`phase.${phase}.other`) ? t(`phase.${phase}`, { count }) : phase);

/// The word of a job's phase: a clip that is being written is not in the queue yet.
export const phaseWord = (job) => (isOpen(job) ? t('uploads.beingRecorded') : phaseName(job.phase));

/// How much of a job is there.
export function sentWords(job) {
  if (isOpen(job)) return '';
  if (job.phase === 'done') return job.verified ? t('uploads.verified', { how: job.verified.toUpperCase() }) : '';
  if (job.phase === 'uploading' || (job.phase === 'queued' && job.sentBytes > 0)) return t('uploads.sent', { sent: size(job.sentBytes), all: size(job.bytes), share: number(100 * sentShare(job)) });
  if (job.phase === 'encoding' && typeof job.encodedPercent === 'number') return t('uploads.encoded', { share: number(job.encodedPercent) });
  return '';
}

/// Whose clip and when, in one line.
export const jobName = (job) => t('uploads.name', { camera: job.camera, time: stamp(parse(job.start), 'minute') });

/// Phase, progress and reason of a job, drawn anew only where something is another.
export class JobState {
  #dot = h('i.dot', { 'aria-hidden': 'true' });
  #word = h('strong');
  #sent = h('span.quiet');
  #bar = h('progress', { max: '1' });
  #why = h('div.upload-why', { hidden: true }, h('p'), h('p.quiet'));
  #shown = '';

  constructor(job) {
    this.element = h('div.job-state', {}, h('p.phase', {}, this.#dot, this.#word, this.#sent), this.#bar, this.#why);
    this.draw(job);
  }

  draw(job) {
    const shown = JSON.stringify([job.phase, job.queued, job.bytes, job.sentBytes, job.encodedPercent, job.why, job.verified]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const mood = isOpen(job) ? 'open' : phaseMood(job.phase), word = phaseWord(job), sent = sentWords(job);
    this.element.dataset.mood = mood;
    if (this.#word.textContent !== word) this.#word.textContent = word;
    this.#sent.textContent = sent;
    const isEncoding = job.phase === 'encoding' && typeof job.encodedPercent === 'number';
    this.#bar.hidden = !isEncoding && (job.phase !== 'uploading' || isOpen(job));
    this.#bar.value = isEncoding ? job.encodedPercent / 100 : sentShare(job);
    this.#bar.setAttribute('aria-label', t('uploads.progress', { name: jobName(job) }));
    const isTold = Boolean(job.why) && job.phase !== 'done', { reason, remedy } = reasonParts(job.why);
    this.#why.hidden = !isTold;
    if (!isTold) return;
    this.#why.firstChild.textContent = sentence(reason);
    this.#why.lastChild.textContent = sentence(remedy);
    this.#why.lastChild.hidden = !remedy;
  }
}

/// Tries a job again; gives what it is then, nothing where it was refused.
export const retry = (job) => attempt(async () => {
  const now = await send('POST', `/v1/uploads/${job.id}/retry`);
  note(t('uploads.retried', { name: jobName(job) }));
  return now;
});

/// Gives a job up, if that is wanted.
export async function giveUp(job) {
  if (!(await confirmLoss(t('uploads.giveUp'), t('uploads.giveUpLost', { name: jobName(job) }), t('uploads.giveUp')))) return undefined;
  return attempt(async () => {
    const now = await send('POST', `/v1/uploads/${job.id}/cancel`);
    note(t('uploads.gaveUp', { name: jobName(job) }));
    return now;
  });
}

/// Tries every job again that failed, of one camera or of all.
export const retryAll = (camera) => attempt(async () => {
  const { jobs } = await send('POST', `/v1/uploads/retry${query({ camera })}`);
  note(t('uploads.retriedAll', { count: jobs }));
  return jobs;
});

/// Gives up every job that waits, is at work, or failed, if that is wanted.
export async function giveUpAll(camera, count) {
  const lost = t(camera ? 'uploads.giveUpAllLostOf' : 'uploads.giveUpAllLost', { count, camera });
  if (!(await confirmLoss(t('uploads.giveUpAll'), lost, t('uploads.giveUpAll')))) return undefined;
  return attempt(async () => {
    const { jobs } = await send('POST', `/v1/uploads/cancel${query({ camera })}`);
    note(t('uploads.gaveUpAll', { count: jobs }));
    return jobs;
  });
}
