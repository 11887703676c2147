// The timeline of one camera or several: one window of time, one play head, zoom without steps, scrubbing. It plays nothing: it
// tells with `scrub`, `seek` and `window` what a hand does, and is told where the head is.
import { fill, h } from '../app/dom.js';
import { DAY, MINUTE, SECOND, clock, day, stamp } from '../app/time.js';
import { labelWords, length, t } from '../app/words.js';
import { draw, heightOf, readColours } from './drawing.js';
import { HandReader } from './hand.js';
import { EVENTS_MOST } from './record.js';
import { centred, momentOf, placeOf, zoomed } from './geometry.js';

const NARROW = 640;

export class Timeline extends EventTarget {
  view = { from: Date.now() - 45 * MINUTE, span: 60 * MINUTE };
  head = Date.now();
  isLive = true;
  choice = {};
  #canvas = h('canvas', { 'aria-hidden': 'true' });
  #tip = h('div.timeline-tip', { hidden: true });
  #hover = undefined;
  #frame = 0;
  #glide = 0;
  #saidAt = 0;
  #isScrubbing = false;
  #ending = new AbortController();

  constructor(records) {
    super();
    this.records = records;
    this.element = h('div.timeline', {}, this.#canvas, this.#tip);
    this.slider = h('div.timeline-slider', {
      role: 'slider', tabindex: '0', 'aria-label': t('timeline.label'), 'aria-orientation': 'horizontal', 'data-arrows': '',
    });
    this.element.append(this.slider);
    const { signal } = this.#ending;
    new HandReader(this.slider, this);
    this.slider.addEventListener('keydown', (event) => this.#key(event));
    for (const record of records) {
      record.addEventListener('changed', () => (this.#say(true), this.redraw()), { signal });
      record.addEventListener('cloud', () => this.#resize(), { signal });
    }
    addEventListener('theme', () => (readColours(), this.redraw()), { signal });
    this.sizes = new ResizeObserver(() => this.#resize());
    this.sizes.observe(this.element);
    readColours();
  }

  /// Ends it.
  end() {
    this.#ending.abort();
    this.sizes.disconnect();
    cancelAnimationFrame(this.#frame);
    this.stopGlide();
  }

  get width() {
    return this.#canvas.clientWidth || 1;
  }

  /// Whether the head stays in the middle and time moves beneath it.
  get isNarrow() {
    return this.width < NARROW;
  }

  /// Whether a hand holds the head.
  get isScrubbing() {
    return this.#isScrubbing;
  }

  /// Puts the head to a moment; the window follows so that the head stays in it.
  put(head, isLive) {
    this.head = head;
    this.isLive = isLive;
    if (this.#isScrubbing) return;
    if (this.isNarrow) this.view = centred(this.view, head);
    else {
      const end = this.view.from + this.view.span, edge = this.view.span * 0.1;
      if (head > end - edge && head < end + this.view.span) this.view = { ...this.view, from: head - this.view.span + edge };
      else if (head < this.view.from || head > end) this.view = { ...this.view, from: head - this.view.span * 0.6 };
    }
    this.#say();
    this.dispatchEvent(new Event('moved'));
    this.redraw();
  }

  /// Shows a window of this span around the head.
  zoomTo(span) {
    this.zoom(span / this.view.span, this.head);
  }

  /// Zooms by a factor around a moment, the head where none is given.
  zoom(factor, around = this.head) {
    const at = this.isNarrow ? this.head : around;
    this.#show(zoomed(this.view, factor, at));
  }

  /// Moves the window, as far as now stays in sight.
  pan(ms) {
    const from = Math.min(this.view.from + ms, Date.now() - this.view.span * 0.1);
    this.#show({ ...this.view, from });
    if (this.isNarrow) this.scrub(Math.min(Date.now(), this.view.from + this.view.span / 2));
  }

  #show(view) {
    this.view = this.isNarrow ? centred(view, view.from + view.span / 2) : view;
    this.dispatchEvent(new Event('window'));
    this.redraw();
  }

  /// The hand holds the head at a moment.
  scrub(at) {
    this.#isScrubbing = true;
    this.head = Math.min(at, Date.now());
    this.isLive = false;
    this.dispatchEvent(new CustomEvent('scrub', { detail: this.head }));
    this.#say();
    this.redraw();
  }

  /// The hand lets the head go.
  release() {
    if (!this.#isScrubbing) return;
    this.#isScrubbing = false;
    this.dispatchEvent(new CustomEvent('seek', { detail: this.head }));
  }

  /// A click goes to a moment, beyond now to live.
  goTo(at) {
    // A click on a day of many goes into it.
    if (this.view.span > EVENTS_MOST) this.#show(centred({ ...this.view, span: DAY }, at));
    this.dispatchEvent(new CustomEvent('seek', { detail: at >= Date.now() - 2 * SECOND ? Infinity : at }));
  }

  /// Goes on moving after the hand has let go, ever more slowly. `speed` is in pixels for each millisecond.
  glide(speed, done) {
    this.stopGlide();
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return done?.();
    let last = performance.now();
    const turn = (now) => {
      const ms = Math.min(50, now - last);
      last = now;
      this.pan((-speed * ms * this.view.span) / this.width);
      speed *= Math.exp(-ms / 220);
      if (Math.abs(speed) > 0.02) this.#glide = requestAnimationFrame(turn);
      else done?.();
    };
    this.#glide = requestAnimationFrame(turn);
  }

  stopGlide() {
    cancelAnimationFrame(this.#glide);
  }

  /// Shows what lies under the pointer, or nothing.
  hover(x) {
    this.#hover = x;
    this.redraw();
    this.#tip.hidden = x === undefined;
    if (x === undefined) {
      this.dispatchEvent(new CustomEvent('hover', { detail: undefined }));
      return;
    }
    const at = momentOf(this.view, this.width, x);
    fill(this.#tip, h('strong', {}, stamp(at, this.view.span < 600_000 ? 'second' : 'minute')), ' ', at > Date.now() ? t('timeline.future') : this.words(at));
    const half = this.#tip.offsetWidth / 2;
    this.#tip.style.left = `${Math.min(this.width - half - 4, Math.max(half + 4, x))}px`;
    this.dispatchEvent(new CustomEvent('hover', { detail: { at, x } }));
  }

  /// The label and the event of a moment in words.
  words(at) {
    return this.records.map((record) => {
      const stretch = record.labelAt(at), event = record.eventAt(at);
      const there = record.cloud?.words(at), isOwn = stretch && !(there && stretch.label === 'notConfigured');
      const parts = isOwn ? [labelWords(stretch.label)] : there ? [] : [record.knows(at, at) ? t('label.notConfigured') : t('timeline.loading')];
      if (isOwn && stretch.label !== 'recorded') parts.push(length(stretch.to - stretch.from));
      if (there) parts.push(there);
      if (event) parts.push(event.level ? t('timeline.eventOfLevel', { level: event.level }) : t('timeline.event'));
      return this.records.length > 1 ? `${record.camera}: ${parts.join(', ')}` : parts.join(', ');
    }).join('; ');
  }

  // A screen reader is told at most once a second while it plays.
  #say(isForced = false) {
    const now = performance.now();
    if (!isForced && now - this.#saidAt < 1000 && !this.#isScrubbing) return;
    this.#saidAt = now;
    this.slider.setAttribute('aria-valuemin', Math.round(this.view.from / 1000));
    this.slider.setAttribute('aria-valuemax', Math.round((this.view.from + this.view.span) / 1000));
    this.slider.setAttribute('aria-valuenow', Math.round(this.head / 1000));
    this.slider.setAttribute('aria-valuetext', `${day(this.head)} ${clock(this.head)}, ${this.isLive ? t('timeline.live') : this.words(this.head)}`);
  }

  #key(event) {
    const by = { ArrowLeft: -5, ArrowRight: 5, PageUp: -60, PageDown: 60 }[event.key];
    if (!by || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.goTo(this.head + by * SECOND);
  }

  /// The moment under a place of the element.
  at(x) {
    return momentOf(this.view, this.width, x);
  }

  /// Whether the head is under a place.
  isAtHead(x) {
    return Math.abs(placeOf(this.view, this.width, this.head) - x) < 14;
  }

  #resize() {
    const width = this.element.clientWidth, height = heightOf(this.records), scale = devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    this.element.style.height = `${height}px`;
    this.#canvas.getContext('2d').setTransform(scale, 0, 0, scale, 0, 0);
    if (this.isNarrow) this.view = centred(this.view, this.head);
    this.dispatchEvent(new Event('window'));
    this.redraw();
  }

  /// Draws with the next frame of the screen.
  redraw() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const { view, width, records, head, choice, isLive } = this;
      if (width > 1) draw(this.#canvas.getContext('2d'), { view, width, records, head, choice, isLive, hover: this.#hover, now: Date.now() });
    });
  }
}
