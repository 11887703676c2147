// One job in the list of the upload queue: which clip, who wants it there, how far it is, what can be done.
import { h, icon } from '../app/dom.js';
import { cameraAddress } from '../app/router.js';
import { site } from '../app/site.js';
import { local, parse, stamp } from '../app/time.js';
import { size, t } from '../app/words.js';
import { isOpen, orders } from '../app/cloud.js';
import { JobState, giveUp, jobName, retry } from './upload-words.js';

// A longer note is opened to be read.
const NOTE_SHOWN = 80;

export class UploadRow {
  #state;
  #size = h('span');
  #retry;
  #giveUp;

  /// `told` is given what the job is after an order.
  constructor(job, told) {
    this.job = job;
    const at = parse(job.start), name = jobName(job), may = site.may('operate');
    const button = (drawing, words, order) => h('button', { type: 'button', hidden: true, 'aria-label': t('uploads.order', { order: words, name }), onclick: () => this.#order(order, told) }, icon(drawing), words);
    this.#state = new JobState(job);
    this.#retry = may && button('again', t('uploads.retry'), retry);
    this.#giveUp = may && button('close', t('uploads.giveUp'), giveUp);
    this.link = h('a', { href: cameraAddress(job.camera, { t: local(Math.floor(at / 1000) * 1000), zoom: 'hour' }), title: job.camera }, h('span.upload-camera', {}, job.camera));
    this.element = h('li.upload', { 'data-job': job.id },
      h('div.upload-what', {},
        h('p.upload-name', {}, this.link, h('time', { datetime: job.start }, stamp(at))),
        h('p.quiet', {}, this.#size, t(job.importance === 'asked' ? 'uploads.askedBy' : 'uploads.policy', { owner: job.owner })),
        job.note && (job.note.length > NOTE_SHOWN ? h('details.upload-note', {}, h('summary', {}, job.note)) : h('p.upload-note', {}, job.note))),
      this.#state.element,
      h('div.upload-do', {}, this.#retry, this.#giveUp));
    this.draw(job);
  }

  /// Shows the job as it is now; what has the focus keeps it, or hands it to the job's link.
  draw(job) {
    this.job = job;
    this.#state.draw(job);
    const words = isOpen(job) ? '' : `${size(job.bytes)} · `;
    if (this.#size.textContent !== words) this.#size.textContent = words;
    const { mayRetry, mayGiveUp } = orders(job);
    for (const [button, may] of [[this.#retry, mayRetry], [this.#giveUp, mayGiveUp]]) {
      if (!button || button.hidden === !may) continue;
      if (!may && document.activeElement === button) this.link.focus({ preventScroll: true });
      button.hidden = !may;
    }
  }

  async #order(order, told) {
    const now = await order(this.job);
    if (now) told(now);
  }
}
