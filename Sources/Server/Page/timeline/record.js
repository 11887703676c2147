// What is known of a camera's past: coverage, events, and what became of whole days; asked for as it comes into view, and kept.
import { cloudPast } from '../app/cloud-past.js';
import { ofCamera, query, read, readAll } from '../app/requests.js';
import { site } from '../app/site.js';
import { DAY, dayName, parse, utc, wall } from '../app/time.js';
import { DayCache } from './day-cache.js';
import { indexAfter, merged, stretchAt } from './geometry.js';

/// Single events are asked for while no more than this is in sight; beyond it their number of each day.
export const EVENTS_MOST = 3 * DAY;
const EVENTS_KEPT = 20_000, MONTH_FRESH = 60_000;

export class CameraRecord extends EventTarget {
  coverage = [];
  /// The events of the disk, and those that only the cloud has.
  events = [];
  days = new Map();
  /// What only the cloud has; nothing where the cloud has nothing of the camera.
  cloud = undefined;
  #months = new Map();
  #onDisk = [];
  #loading = undefined;

  constructor(camera) {
    super();
    this.camera = camera;
    const changed = () => this.#changed();
    this.labels = new DayCache((from, to) => this.#askCoverage(from, to), changed);
    this.happened = new DayCache((from, to) => this.#askEvents(from, to), changed);
  }

  /// The refusal of the last request; nothing where it was granted.
  get refusal() {
    return this.labels.refusal ?? this.happened.refusal;
  }

  /// Asks for what is not known of `from` … `to`.
  want(from, to) {
    this.labels.want(from, to);
    if (to - from <= 2 * EVENTS_MOST) this.happened.want(from, to);
    else this.#wantMonths(from, to);
    this.#wantCloud(from, to);
  }

  #wantCloud(from, to) {
    const count = site.state(this.camera)?.cloudClips;
    if (this.cloud) {
      if (to - from <= 2 * EVENTS_MOST) this.cloud.want(from, to, count);
    } else if (count) {
      this.#loading ??= cloudPast(() => import('./cloud-record.js')).then(({ CloudRecord }) => {
        this.cloud = new CloudRecord(this, () => this.#changed());
        this.dispatchEvent(new Event('cloud'));
        this.want(from, to);
      }).catch(() => (this.#loading = undefined));
    }
  }

  #changed() {
    this.events = this.cloud?.join(this.#onDisk) ?? this.#onDisk;
    this.dispatchEvent(new Event('changed'));
  }

  /// Whether coverage and events of a stretch of time are known.
  knows(from, to) {
    if (!this.labels.knows(from, to) || !this.happened.knows(from, to)) return false;
    return this.cloud ? this.cloud.knows(from, to) : !this.#loading;
  }

  /// Makes what is known of now old, so that it is asked for again.
  refresh() {
    this.labels.refresh();
    this.happened.refresh();
  }

  async #askCoverage(from, to) {
    const { stretches } = await read(ofCamera(this.camera, `coverage${query({ from: utc(from), to: utc(to) })}`));
    const told = stretches.map((one) => ({ from: parse(one.from), to: parse(one.to), label: one.label ?? 'notConfigured', rule: one.rule }));
    this.coverage = merged(this.coverage, told, from, Math.max(to, told.at(-1)?.to ?? to));
  }

  async #askEvents(from, to) {
    const told = await readAll('/v1/events', { camera: this.camera, from: utc(from), to: utc(to), order: 'newest' }, { most: EVENTS_KEPT });
    const known = new Set(told.map((event) => event.id));
    this.#onDisk = [...this.#onDisk.filter((event) => !known.has(event.id)), ...told.map(eventOf)].sort((a, b) => a.from - b.from);
    if (this.#onDisk.length > 3 * EVENTS_KEPT) this.#forgetEvents(from);
  }

  // The days that lie farthest from what was asked for last are forgotten, and asked for again when they are wanted.
  #forgetEvents(near) {
    const isNear = (event) => Math.abs(event.from - near) < 2 * EVENTS_MOST;
    this.#onDisk = this.#onDisk.filter(isNear);
    this.happened.forget(near - 2 * EVENTS_MOST, near + 2 * EVENTS_MOST);
  }

  #wantMonths(from, to) {
    const { year, month } = wall(from), last = wall(Math.min(to, Date.now()));
    for (let count = 0, y = year, m = month; count < 14 && (y < last.year || (y === last.year && m <= last.month)); count += 1) {
      this.#askMonth(`${y}-${String(m).padStart(2, '0')}`);
      [y, m] = m === 12 ? [y + 1, 1] : [y, m + 1];
    }
  }

  async #askMonth(month) {
    const known = this.#months.get(month);
    if (known !== undefined && (!dayName(Date.now()).startsWith(month) || performance.now() - known < MONTH_FRESH)) return;
    this.#months.set(month, performance.now());
    try {
      for (const day of await read(ofCamera(this.camera, `days${query({ month })}`))) this.days.set(day.day, day);
      this.dispatchEvent(new Event('changed'));
    } catch {
      this.#months.delete(month);
    }
  }

  /// The label at a moment; nothing where it is not known.
  labelAt(at) {
    return stretchAt(this.coverage, at);
  }

  /// The stretch at a moment that only the cloud has.
  cloudAt(at) {
    return this.cloud && stretchAt(this.cloud.stretches, at);
  }

  /// Whether a moment was recorded and can be shown.
  plays(at) {
    return this.labelAt(at)?.label === 'recorded' || Boolean(this.cloudAt(at));
  }

  /// The event that holds a moment, the latest where there are several.
  eventAt(at) {
    const index = indexAfter(this.events, at, (event) => event.from);
    for (let turn = index - 1; turn >= Math.max(0, index - 20); turn -= 1) if (this.events[turn].to > at) return this.events[turn];
    return undefined;
  }

  /// The event that begins next after a moment (`direction` 1), or the one before it (-1); nothing where there is none. What is
  /// not known here is asked for.
  async neighbour(at, direction) {
    const isNext = direction > 0, edge = isNext ? at + 500 : at - 1500;
    const index = indexAfter(this.events, edge, (event) => event.from), known = this.events[isNext ? index : index - 1];
    if (known && this.knows(Math.min(edge, known.from), Math.max(edge, known.from))) return known;
    const range = isNext ? { from: utc(edge), order: 'oldest' } : { to: utc(edge), order: 'newest' };
    const far = this.cloud?.neighbour(edge, isNext);
    const told = await read(`/v1/events${query({ camera: this.camera, ...range, limit: 20 })}`);
    const near = told.map(eventOf).find((event) => (isNext ? event.from > edge : event.from <= edge));
    return far ? far(near) : near;
  }

  /// The begin of the next stretch with media after a moment.
  nextMedia(at) {
    const ahead = (list) => list.slice(indexAfter(list, at, (one) => one.to));
    const found = [ahead(this.coverage).find((one) => one.label === 'recorded'), ahead(this.cloud?.stretches ?? [])[0]].filter(Boolean);
    return found.length ? Math.max(at, Math.min(...found.map((one) => one.from))) : undefined;
  }
}

/// An event as the timeline takes it: from and to in milliseconds; one that goes on ends now.
export function eventOf(event) {
  const from = parse(event.start);
  return { ...event, from, to: event.end ? parse(event.end) : Math.max(from, Date.now()), isActive: !event.end };
}
