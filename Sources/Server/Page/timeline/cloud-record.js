// What only the cloud has of a camera's past: its clips as stretches of time, and the events of which the disk has no row any more,
// or no clip. The daemon's catalog tells it, also while the store is away; only pictures are asked of the store.
import { h, icon } from '../app/dom.js';
import { ofCamera, query, read } from '../app/requests.js';
import { colour } from '../app/theme.js';
import { HOUR, dayName, dayStart, parse, utc } from '../app/time.js';
import { t } from '../app/words.js';
import { cloudLine, cloudPictures } from '../player/cloud-pictures.js';
import { pictureAddress } from '../player/stills.js';
import { DayCache } from './day-cache.js';
import { placeOf, stretchAt, within } from './geometry.js';
import { EVENTS_MOST } from './record.js';

const FRESH = 60_000, PATIENCE = 20_000, SEAM = 1000, PAGE = 1000, PAGES = 20, KEPT = 60_000, COUNTED = 5000, GROWN = 30_000;
// Of the band in pixels: its height, and from dot to dot.
const BAND = 6, STEP = 8;

/// Asks for JSON, not for ever.
async function readSoon(path) {
  const ending = new AbortController(), timer = setTimeout(() => ending.abort(), PATIENCE);
  try {
    return await read(path, { signal: ending.signal });
  } finally {
    clearTimeout(timer);
  }
}

/// The clips that only the cloud has in a time; where they are too many for one answer, in halves.
async function slices(camera, from, to) {
  try {
    return await readSoon(ofCamera(camera, `cloud/slices${query({ from: utc(from), to: utc(to), alone: true })}`));
  } catch (error) {
    if (error.status !== 400 || to - from < HOUR) throw error;
    const middle = Math.floor((from + to) / 2);
    return [...(await slices(camera, from, middle)), ...(await slices(camera, middle, to))];
  }
}

/// A page of the events that only the cloud has, as the timeline takes them; `disk` is the same event on the disk.
export async function cloudEvents(camera, { from, to, ...values }) {
  const told = await readSoon(ofCamera(camera, `cloud/events${query({ from: utc(from), to: utc(to), alone: true, ...values })}`));
  return told.map((event) => ({ ...cloudEvent(camera, event), disk: event.event ?? undefined }));
}

function cloudEvent(camera, { id, start, end, cause, level, zones, picture }) {
  const from = parse(start);
  const to = Math.max(from + SEAM, (end && parse(end)) ?? 0);
  // An event that was sent without a picture has one all the same: its clip has it.
  const path = picture ? ofCamera(camera, `cloud/events/${id}/picture`) : pictureAddress(camera, from + SEAM / 2, 320);
  return {
    id: `cloud-${id}`, camera, from, to, cause, level, zones: zones.map((zone) => zone || null), isActive: false,
    cloud: { image: () => cloudPictures.image(path), mark },
  };
}

/// The mark of what lies only in the cloud.
export const mark = () => h('span.cloud-mark', { title: t('past.mark') }, icon('cloud'), h('span.unseen', {}, t('past.mark')));

export class CloudRecord {
  stretches = [];
  events = [];
  /// By the number of an event of the disk without a clip, its mark and picture.
  twins = new Map();
  #clips = new Map();
  #found = new Map();
  #count = undefined;
  #counted = 0;
  #ink = undefined;

  /// Of the past of `record`, which is told of what it learns by `changed`.
  constructor(record, changed) {
    this.record = record;
    this.camera = record.camera;
    this.days = new DayCache((from, to) => this.#ask(from, to), changed, FRESH);
  }

  get refusal() {
    return this.days.refusal;
  }

  /// Asks for what is not known of a time; for all of it anew where the cloud has another number of clips than before.
  want(from, to, count) {
    // What comes is mostly on the disk too, what goes is gone from here.
    const pause = count > this.#count ? GROWN : COUNTED;
    if (count !== this.#count && performance.now() - this.#counted > pause) {
      if (this.#count !== undefined) this.days.outdate();
      this.#count = count;
      this.#counted = performance.now();
    }
    this.days.want(from, to);
  }

  /// Whether a time is known, or cannot be.
  knows(from, to) {
    return Boolean(this.refusal) || this.days.knows(from, to);
  }

  async #ask(from, to) {
    const [clips, events] = await Promise.all([slices(this.camera, from, to), this.#askEvents(from, to)]);
    if (this.#clips.size + this.#found.size > KEPT) {
      this.#clips.clear();
      this.#found.clear();
      this.days.forget(from, to);
    }
    for (const [id, clip] of this.#clips) if (clip.to > from && clip.from < to) this.#clips.delete(id);
    for (const clip of clips) this.#clips.set(clip.clip, { from: parse(clip.start), to: parse(clip.end) });
    for (const [id, event] of this.#found) if (event.from >= from && event.from < to) this.#found.delete(id);
    for (const event of events) this.#found.set(event.id, event);
    this.stretches = joined([...this.#clips.values()]);
    this.events = [...this.#found.values()].filter((event) => event.disk === undefined);
    this.twins = new Map([...this.#found.values()].filter((event) => event.disk !== undefined).map((event) => [event.disk, event.cloud]));
  }

  async #askEvents(from, to) {
    const events = [];
    for (let page = 0; page < PAGES; page += 1) {
      const more = await cloudEvents(this.camera, { from, to, limit: PAGE, offset: page * PAGE || undefined });
      events.push(...more);
      if (more.length < PAGE) break;
    }
    return events;
  }

  /// The events of the disk and those of the cloud, by time.
  join(onDisk) {
    const { events, twins } = this;
    const all = twins.size ? onDisk.map((event) => (twins.has(event.id) ? { ...event, cloud: twins.get(event.id) } : event)) : onDisk;
    return events.length ? [...all, ...events].sort((a, b) => a.from - b.from) : all;
  }

  /// Asks for the event that begins next after a moment, or the one before it. What comes back takes the one that the disk has and
  /// gives the nearer of the two; where nobody answers, that of the disk.
  neighbour(edge, isNext) {
    const range = isNext ? { from: edge + 1, to: Date.now() + HOUR, order: 'oldest' } : { from: 0, to: edge + 1, order: 'newest' };
    const asked = range.from < range.to ? cloudEvents(this.camera, { ...range, limit: 20 }).catch(() => []) : [];
    return async (near) => {
      const far = (await asked).find((event) => event.disk === undefined);
      if (!near || !far) return near ?? far;
      return (far.from < near.from) === isNext ? far : near;
    };
  }

  // How much of a day only the cloud has, in milliseconds, as a month tells it.
  #ofDay(at) {
    return this.record.days.get(dayName(at))?.cloudMs ?? 0;
  }

  /// What of a window is drawn: stretches, of many days whole days.
  inSight({ from, span }) {
    if (span <= EVENTS_MOST) return within(this.stretches, from, from + span);
    const out = [];
    for (let at = dayStart(from); at < from + span; at = dayStart(at, 1)) if (this.#ofDay(at)) out.push({ from: at, to: dayStart(at, 1) - span / 600 });
    return out;
  }

  /// Draws the band: dots in a line, which no label of coverage has.
  draw(context, view, width, top) {
    this.#ink ??= colour('--cloud');
    context.fillStyle = this.#ink;
    for (const { from, to } of this.inSight(view)) {
      const x = Math.max(-STEP, placeOf(view, width, from)), wide = Math.max(3, Math.min(width + STEP, placeOf(view, width, to)) - x);
      context.globalAlpha = 0.22;
      context.beginPath();
      context.roundRect(x, top, wide, BAND, Math.min(BAND, wide) / 2);
      context.fill();
      context.globalAlpha = 1;
      context.beginPath();
      // A band that is narrower than two dots is one stroke.
      if (wide < 2 * STEP) context.roundRect(x + 1, top + 1.5, Math.max(1, wide - 2), BAND - 3, 1.5);
      else {
        for (let dot = x + STEP / 2; dot <= x + wide - STEP / 2 + 1; dot += STEP) {
          context.moveTo(dot + 1.5, top + BAND / 2);
          context.arc(dot, top + BAND / 2, 1.5, 0, 7);
        }
      }
      context.fill();
    }
  }

  /// What is said of a moment that only the cloud has; nothing of others.
  words(at) {
    return stretchAt(this.stretches, at) && t('past.here');
  }

  /// The same as a paragraph.
  note(at) {
    return stretchAt(this.stretches, at) && h('p.cloud-note', {}, icon('cloud'), t('past.plays'));
  }

  /// What stands in place of a picture that the cloud does not give.
  veil(at) {
    return stretchAt(this.stretches, at) && { drawing: 'cloud', title: t('past.silent'), more: t('past.silentHelp') };
  }

  /// Reads the colour anew, for a change of theme.
  forgetInk() {
    this.#ink = undefined;
  }

  /// Says the band's word beside the timeline of a view, while a band is in sight.
  explain({ timeline, controls, day }, signal) {
    addEventListener('theme', () => timeline.records.forEach((record) => record.cloud?.forgetInk()), { signal });
    const legend = h('p.cloud-legend', { hidden: true }, h('i.swatch.cloud-swatch', { 'aria-hidden': 'true' }), t('past.band'));
    controls.when.insertBefore(legend, controls.zoom);
    const { line, draw } = cloudLine(signal, () => this.refusal);
    day.element.insertBefore(line, day.empty);
    const look = () => {
      legend.hidden = !timeline.records.some((record) => record.cloud?.inSight(timeline.view).length);
      draw();
    };
    for (const kind of ['window', 'moved']) timeline.addEventListener(kind, look, { signal });
    for (const record of timeline.records) record.addEventListener('changed', look, { signal });
    look();
  }
}

/// Stretches in order, those that touch as one.
export function joined(list) {
  const out = [];
  for (const one of list.sort((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (last && one.from - last.to < SEAM) last.to = Math.max(last.to, one.to);
    else out.push({ ...one });
  }
  return out;
}
