// The upload queue: the store, how many clips are where on their way to the cloud, and each of them with what can be done.
import { fill, h, icon, paced } from '../app/dom.js';
import { emptiness, failure, sentence, waiting } from '../app/notices.js';
import { ask, query, read } from '../app/requests.js';
import { address, note } from '../app/router.js';
import { site } from '../app/site.js';
import { number, size, t } from '../app/words.js';
import { isMoving, isOpen, phaseMood, phaseTotals, reasonParts } from '../app/cloud.js';
import { howTo } from '../panels/cloud-plan.js';
import { UploadRow } from '../panels/upload-row.js';
import { giveUpAll, jobName, phaseName, phaseWord, retryAll } from '../panels/upload-words.js';

const PAGE = 50, MOST = 1000;
// While something is sent its progress is asked for; else what the journal does not tell is found at the latest after this.
const MOVING_MS = 2000, RESTING_MS = 20_000;
// What can be chosen to be shown, as the queue calls it.
const STANDINGS = [['', 'all'], ['open,due', 'due'], ['failed', 'failed'], ['over', 'over']];

export function open(main, parameters, shell) {
  shell.title(t('uploads.title'));
  return new UploadsView(main, parameters);
}

class UploadsView {
  #ending = new AbortController();
  #rows = new Map();
  #after = undefined;
  #turn = 0;
  #timer = 0;
  #isLoading = false;

  constructor(main, parameters) {
    main.className = 'page uploads-view';
    this.store = h('div.store-line', { role: 'status' });
    this.totals = h('ul.totals', { 'aria-label': t('uploads.totals') });
    this.list = h('ol.upload-list', { 'aria-label': t('uploads.title') });
    this.told = h('div', {}, waiting(t('timeline.loading')));
    this.heard = h('p.unseen', { role: 'status' });
    this.more = h('button.more', { type: 'button', hidden: true, onclick: () => this.#load() }, t('events.more'));
    this.retryAll = h('button', { type: 'button', hidden: true, onclick: () => this.#all(retryAll(this.filters.camera)) }, icon('again'), t('uploads.retryAll'));
    this.giveUpAll = h('button', { type: 'button', hidden: true, onclick: () => this.#all(giveUpAll(this.filters.camera, this.stoppable)) }, icon('close'), t('uploads.giveUpAll'));
    this.filterPlace = h('div');
    main.append(
      h('header.page-head', {}, h('h1', {}, t('uploads.title')), h('a.button', { href: '/system' }, icon('system'), t('place.system')), h('span.grow'), this.retryAll, this.giveUpAll),
      this.store, this.totals, this.filterPlace, this.heard, this.list, this.told, this.more);
    this.#take(parameters);
    this.bottom = new IntersectionObserver(([entry]) => entry.isIntersecting && !this.more.hidden && !this.#isLoading && this.#load(), { rootMargin: '400px' });
    this.bottom.observe(this.more);
    this.#follow();
    this.#load();
  }

  /// Takes the filters of an address.
  follow(parameters) {
    const before = JSON.stringify(this.filters);
    this.#take(parameters);
    if (JSON.stringify(this.filters) !== before) this.#reload();
    return true;
  }

  #take({ camera = '', standing = '' }) {
    this.filters = { camera, standing: STANDINGS.some(([value]) => value === standing) ? standing : '' };
    const select = (name, words, options) => h('label.field', {}, h('span', {}, words),
      h('select', { onchange: (event) => this.#filter(name, event.currentTarget.value) },
        options.map(([value, text]) => h('option', { value, selected: this.filters[name] === value }, text))));
    fill(this.filterPlace, h('form.filters', { onsubmit: (event) => event.preventDefault(), 'aria-label': t('events.filters') },
      select('camera', t('uploads.camera'), [['', t('events.allCameras')], ...[...site.states.keys()].map((name) => [name, name])]),
      select('standing', t('uploads.standing'), STANDINGS.map(([value, name]) => [value, t(`standing.${name}`)]))));
  }

  #filter(name, value) {
    this.filters[name] = value;
    note(address('/uploads', this.filters).replaceAll('%2C', ','));
    this.#reload();
  }

  // The journal tells each stage of each job, and what becomes of the store.
  #follow() {
    const { signal } = this.#ending, soon = paced(700, () => this.#refresh());
    const stream = new EventSource('/v1/journal?priority=info');
    stream.onmessage = ({ data }) => /^(upload|store|remote|plan|cloud|clip)/.test(JSON.parse(data).kind) && soon();
    signal.addEventListener('abort', () => stream.close());
    document.addEventListener('visibilitychange', () => !document.hidden && soon(), { signal });
  }

  #reload() {
    this.#turn += 1;
    this.#after = undefined;
    this.#isLoading = false;
    this.#rows.clear();
    fill(this.list);
    this.more.hidden = true;
    fill(this.told, waiting(t('timeline.loading')));
    return this.#load();
  }

  // The next page.
  async #load() {
    await this.#read(PAGE, this.#after);
  }

  // What is shown, as it is now.
  async #refresh() {
    if (this.#isLoading || document.hidden) return this.#schedule();
    return this.#read(Math.min(MOST, Math.max(PAGE, this.#rows.size)), undefined, true);
  }

  async #read(limit, after, isAgain = false) {
    const turn = this.#turn, { camera, standing } = this.filters, { signal } = this.#ending;
    this.#isLoading = true;
    try {
      const [response, totals] = await Promise.all([ask(`/v1/uploads${query({ camera, standing, limit, after })}`, { signal }), read(`/v1/uploads/totals${query({ camera })}`, { signal })]);
      const jobs = await response.json();
      if (turn !== this.#turn) return;
      this.#showTotals(totals);
      const next = response.headers.get('Vigil-Next') ?? undefined, isPart = isAgain && this.#rows.size > limit;
      this.#showJobs(jobs, !after, isPart);
      if (!isPart) this.#after = next;
      this.more.hidden = this.#after === undefined;
      fill(this.told, this.#rows.size ? undefined : this.#nothing(totals));
    } catch (error) {
      if (error.name === 'AbortError' || turn !== this.#turn) return;
      // What is shown stays while nobody answers.
      if (!this.#rows.size) fill(this.told, failure(error, () => this.#reload()));
    } finally {
      if (turn === this.#turn) {
        this.#isLoading = false;
        this.#schedule();
      }
    }
  }

  #schedule() {
    clearTimeout(this.#timer);
    const isMovingNow = [...this.#rows.values()].some(({ job }) => isMoving(job) || isOpen(job));
    if (!this.#ending.signal.aborted) this.#timer = setTimeout(() => this.#refresh(), isMovingNow ? MOVING_MS : RESTING_MS);
  }

  // The newest stand first. Rows stay the same elements, so focus and scrolling stay where they are.
  #showJobs(jobs, isFromTop, isPart) {
    const oldest = jobs.at(-1)?.id ?? Infinity;
    if (isFromTop) {
      const here = new Set(jobs.map((job) => job.id));
      for (const [id, row] of this.#rows) {
        if (here.has(id) || (isPart && id < oldest)) continue;
        row.element.remove();
        this.#rows.delete(id);
      }
    }
    let place = isFromTop ? this.list.firstChild : null;
    for (const job of jobs) {
      const row = this.#rows.get(job.id);
      if (row) {
        this.#tell(row.job, job);
        row.draw(job);
        place = row.element.nextSibling;
      } else {
        const made = new UploadRow(job, (now) => (made.draw(now), this.#refresh()));
        this.#rows.set(job.id, made);
        this.list.insertBefore(made.element, place);
      }
    }
  }

  // Said to a screen reader: a clip that has come to an end.
  #tell(before, job) {
    if (before.phase === job.phase || !/failed|done|over/.test(phaseMood(job.phase))) return;
    this.heard.textContent = t('uploads.heard', { name: jobName(job), phase: phaseWord(job) });
  }

  #showTotals({ store, why, transfers, phases }) {
    const { reason, remedy } = reasonParts(why), line = JSON.stringify([store, why, transfers]);
    if (this.storeShown !== line) {
      this.storeShown = line;
      fill(this.store, why
        ? h('div.trouble', {}, icon('cloud'), h('div', {}, h('strong', {}, t('cloud.nothingSent')), h('p', {}, sentence(reason)), remedy && h('p.quiet', {}, sentence(remedy)), store && h('p.quiet', {}, h('code', {}, store))))
        : store && h('p.quiet', {}, t('cloud.store'), ' ', h('code', {}, store), transfers > 0 && ` – ${t('uploads.transfers', { count: transfers })}`));
    }
    const totals = phaseTotals(phases), shown = JSON.stringify(totals);
    if (this.totalsShown !== shown) {
      this.totalsShown = shown;
      fill(this.totals, totals.map((one) => h('li', { 'data-mood': one.jobs ? phaseMood(one.phase) : 'none', 'data-phase': one.phase },
        h('strong.figure', {}, number(one.jobs)), h('span', {}, phaseName(one.phase, one.jobs)), h('small', {}, one.jobs ? this.#weight(one) : '–'))));
    }
    this.totals.hidden = !store && !phases.length;
    this.filterPlace.hidden = this.totals.hidden;
    const jobs = (...names) => phases.reduce((sum, one) => sum + (names.includes(one.phase) ? one.jobs : 0), 0);
    this.stoppable = jobs('queued', 'uploading', 'uploadFailed', 'encodingFailed', 'removeFailed');
    const may = site.may('operate');
    // A store that refuses everybody is asked again, too.
    this.retryAll.hidden = !may || (!jobs('uploadFailed') && !(why && store));
    this.giveUpAll.hidden = !may || !this.stoppable;
  }

  #weight({ phase, bytes, sentBytes }) {
    return phase === 'uploading' ? t('uploads.ofAll', { sent: size(sentBytes), all: size(bytes) }) : size(bytes);
  }

  #nothing({ store, why, phases }) {
    if (!store && !why && !phases.length) return h('section.emptiness', {}, icon('cloud'), h('h2', {}, t('uploads.noStore')), howTo());
    return emptiness('check', t(this.filters.camera || this.filters.standing ? 'uploads.noneSuch' : 'uploads.none'));
  }

  // After an order to all.
  async #all(order) {
    if ((await order) !== undefined) this.#refresh();
  }

  end() {
    this.#ending.abort();
    clearTimeout(this.#timer);
    this.bottom.disconnect();
  }
}
