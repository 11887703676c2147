// The events of the day that is shown, beside the picture.
import { fill, h } from '../app/dom.js';
import { dayName, dayStart, day as dayWords, clock } from '../app/time.js';
import { t } from '../app/words.js';
import { within } from '../timeline/geometry.js';
import { eventRow } from './event-row.js';

export class DayPanel {
  #day = undefined;
  #rows = new Map();
  #shown = '';
  #current = undefined;

  constructor(view) {
    this.view = view;
    this.title = h('h2');
    this.list = h('ol.event-list');
    this.empty = h('p.quiet', { hidden: true });
    this.element = h('div.day', {}, this.title, this.empty, this.list);
  }

  /// The day's begin.
  get begin() {
    return dayStart(this.view.timeline.head);
  }

  /// Shows the events of the head's day; nothing is done where they are shown already.
  draw() {
    const begin = this.begin, end = dayStart(begin, 1), record = this.view.records[0];
    const events = within(record.events, begin, end).filter((event) => event.from >= begin).reverse();
    const shown = `${begin} ${events.map((event) => `${event.id}${event.isActive}${Boolean(event.cloud)}`).join(' ')} ${record.knows(begin, end)}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#day = begin;
    this.title.textContent = dayName(begin) === dayName(Date.now()) ? t('day.today') : dayWords(begin);
    this.empty.hidden = events.length > 0;
    this.empty.textContent = record.refusal?.what ?? (record.knows(begin, end) ? t('day.noEvents') : t('timeline.loading'));
    this.#rows = new Map(events.slice(0, 400).map((event) => [event.id, eventRow(event, {
      words: clock(event.from), open: () => this.view.seek(Math.max(event.from - 1000, 0) + 1000),
    })]));
    fill(this.list, [...this.#rows.values()]);
    this.#current = undefined;
    this.follow(this.view.timeline.head);
  }

  /// Marks the event that is played.
  follow(at) {
    if (dayStart(at) !== this.#day) this.draw();
    const event = this.view.steering.isLive ? undefined : this.view.records[0].eventAt(at);
    if (event?.id === this.#current) return;
    this.#rows.get(this.#current)?.firstChild.removeAttribute('aria-current');
    this.#current = event?.id;
    this.#rows.get(this.#current)?.firstChild.setAttribute('aria-current', 'true');
  }

  end() {
    this.#rows.clear();
  }
}
