// What happened while nobody looked: all events of all cameras, newest first, to be looked through in seconds.
import { cloudPast } from '../app/cloud-past.js';
import { fill, h, icon, paced } from '../app/dom.js';
import { attempt, emptiness, failure, waiting } from '../app/notices.js';
import { ask, query, send } from '../app/requests.js';
import { address, cameraAddress, go, note } from '../app/router.js';
import { site } from '../app/site.js';
import { clock, day, dayName, local } from '../app/time.js';
import { eventRow } from '../panels/event-row.js';
import { Feed, newest } from '../panels/review-feed.js';
import { startPreview } from '../player/clip-preview.js';
import { eventOf } from '../timeline/record.js';
import { t } from '../app/words.js';

const PAGE = 60;

export function open(main, parameters, shell) {
  shell.title(t('place.events'));
  return new EventsView(main, parameters);
}

class EventsView {
  #ending = new AbortController();
  #feeds = [];
  #turn = 0;
  #rows = new Map();
  #day = '';
  #twins = new Map();
  #line = undefined;

  constructor(main, parameters) {
    this.filters = { camera: parameters.camera ?? '', level: parameters.level ?? '', zone: parameters.zone ?? '', label: parameters.label ?? '', cause: parameters.cause ?? '', unseen: parameters.unseen === 'true' };
    main.className = 'page events-view';
    this.list = h('ol.review');
    this.more = h('button.more', { type: 'button', hidden: true, onclick: () => this.#load() }, t('events.more'));
    this.told = h('div', { 'aria-live': 'polite' });
    this.seenAll = h('button', { type: 'button', hidden: true, onclick: () => this.#seeAll() }, icon('check'), t('events.seenAll'));
    main.append(
      h('header.page-head', {}, h('h1', {}, t('place.events')), h('a.button', { href: '/messages' }, icon('messages'), t('place.messages')), h('span.grow'), this.seenAll),
      this.#form(), this.list, this.told, this.more);
    this.bottom = new IntersectionObserver(([entry]) => entry.isIntersecting && !this.more.hidden && !this.isLoading && this.#load(), { rootMargin: '400px' });
    this.bottom.observe(this.more);
    const refresh = paced(1500, () => scrollY < 200 && !this.list.contains(document.activeElement) && this.#reload());
    site.addEventListener('happened', ({ detail }) => /event/i.test(detail.kind ?? '') && refresh(), { signal: this.#ending.signal });
    this.#reload();
  }

  /// The address changes with the filters alone, which are here already.
  follow() {
    return true;
  }

  #form() {
    const select = (name, words, options) => h('label.field', {}, h('span', {}, words),
      h('select', { onchange: (event) => this.#filter(name, event.currentTarget.value) },
        options.map(([value, text]) => h('option', { value, selected: this.filters[name] === value }, text))));
    const search = (name, words, properties = {}) => h('label.field', {}, h('span', {}, words),
      h('input', { type: 'search', value: this.filters[name], size: 10, onchange: (event) => this.#filter(name, event.currentTarget.value.trim()), ...properties }));
    return h('form.filters', { onsubmit: (event) => event.preventDefault(), 'aria-label': t('events.filters') },
      select('camera', t('simulate.camera'), [['', t('events.allCameras')], ...[...site.states.keys()].map((name) => [name, name])]),
      select('level', t('events.level'), [['', t('events.allLevels')], ...['1', '5', '10'].map((level) => [level, t(`event.level.${level}`)])]),
      select('cause', t('events.kind'), [['', t('events.allKinds')], ...['detection', 'source', 'command'].map((kind) => [kind, t(`event.${kind}`)])]),
      search('zone', t('events.zone')),
      search('label', t('events.label'), { autocapitalize: 'off' }),
      h('label.check', {}, h('input', { type: 'checkbox', checked: this.filters.unseen, onchange: (event) => this.#filter('unseen', event.currentTarget.checked) }), t('events.unseen')));
  }

  #filter(name, value) {
    this.filters[name] = value;
    note(address('/events', { ...this.filters, unseen: this.filters.unseen ? 'true' : undefined }));
    this.#reload();
  }

  async #reload() {
    const turn = (this.#turn += 1);
    this.isLoading = false;
    if (!this.#rows.size) fill(this.told, waiting(t('timeline.loading')));
    const feeds = [this.#disk(), ...(await this.#cloud().catch(() => []))];
    if (turn !== this.#turn) return;
    this.#feeds = feeds;
    await this.#load(true);
  }

  // The events that the disk has rows of.
  #disk() {
    const { camera, unseen, level, zone, label, cause } = this.filters;
    let after, isOver = false;
    return new Feed(async () => {
      if (isOver) return undefined;
      const response = await ask(`/v1/events${query({ camera, level, zone, label, cause, unseen: unseen ? 'true' : undefined, order: 'newest', limit: PAGE, after })}`, { signal: this.#ending.signal });
      after = response.headers.get('Vigil-Next') ?? undefined;
      isOver = after === undefined;
      return (await response.json()).map(eventOf);
    });
  }

  // Those that only the cloud has, of the cameras of which it has something.
  async #cloud() {
    const cameras = [...site.states.values()].filter((state) => state.cloudClips && (!this.filters.camera || state.camera === this.filters.camera));
    if (!cameras.length) return [];
    const part = await cloudPast(() => import('../panels/review-cloud.js'));
    if (!this.#line) {
      this.#line = part.cloudLine(this.#ending.signal, () => this.#feeds.find((feed) => feed.refusal)?.refusal);
      this.list.before(this.#line.line);
    }
    return cameras.map(({ camera }) => part.cloudFeed(camera, this.filters));
  }

  async #load(isFirst = false) {
    const turn = this.#turn;
    this.isLoading = true;
    try {
      const events = await newest(this.#feeds, PAGE);
      if (turn !== this.#turn) return;
      if (isFirst) {
        fill(this.list);
        this.#rows.clear();
        this.#twins.clear();
        this.#day = '';
      }
      this.#add(events);
      this.#line?.draw();
      fill(this.told, this.#rows.size ? undefined : emptiness('events', t(this.filters.unseen ? 'events.allSeen' : 'events.none')));
      this.more.hidden = this.#feeds.every((feed) => feed.isOver);
      this.seenAll.hidden = !events.some((event) => event.seen === false) && !this.#rows.size;
    } catch (error) {
      if (error.name !== 'AbortError' && turn === this.#turn) fill(this.told, failure(error, () => this.#reload()));
    } finally {
      if (turn === this.#turn) this.isLoading = false;
    }
  }

  #add(events) {
    for (const event of events) {
      // Where the disk has a row, that one is shown, with the picture that the cloud has.
      if (event.disk !== undefined) this.#twins.set(event.disk, event.cloud);
      if (event.disk !== undefined || this.#rows.has(event.id)) continue;
      event.cloud ??= this.#twins.get(event.id);
      const name = dayName(event.from);
      if (name !== this.#day) {
        this.#day = name;
        this.list.append(h('li.day-head', {}, h('h2', {}, name === dayName(Date.now()) ? t('day.today') : day(event.from))));
      }
      const seen = event.seen === undefined ? undefined : h('button.icon-button.seen', {
        type: 'button', 'aria-pressed': String(event.seen), 'aria-label': t('events.markSeen'), title: t('events.markSeen'), onclick: () => this.#see(event, !event.seen),
      }, icon('check'));
      const row = eventRow(event, {
        words: clock(event.from), camera: event.camera, rest: seen,
        open: () => {
          if (event.seen === false) this.#see(event, true);
          go(cameraAddress(event.camera, { t: local(Math.floor(event.from / 1000) * 1000), zoom: 'hour' }));
        },
      });
      row.classList.toggle('is-seen', event.seen === true);
      if (!event.cloud) startPreview(row, event);
      this.#rows.set(event.id, { row, event, seen });
      this.list.append(row);
    }
  }

  #see(event, isSeen) {
    return attempt(async () => {
      await send('PUT', `/v1/events/${event.id}/seen`, { seen: isSeen });
      event.seen = isSeen;
      const shown = this.#rows.get(event.id);
      shown?.row.classList.toggle('is-seen', isSeen);
      shown?.seen?.setAttribute('aria-pressed', String(isSeen));
    });
  }

  async #seeAll() {
    for (const { event } of this.#rows.values()) if (event.seen === false) await this.#see(event, true);
    if (this.filters.unseen) this.#reload();
  }

  end() {
    this.#ending.abort();
    this.bottom.disconnect();
  }
}
