// What is known of a camera's past: coverage, events and clips by day, asked for as they come into view, and kept.
import { ofCamera, query, read, readAll } from '../app/requests.js';
import { DAY, parse, utc } from '../app/time.js';
import { indexAfter, merged, stretchAt } from './geometry.js';

const KEPT = 400 * DAY;
const FRESH = 5000;

export class CameraRecord extends EventTarget {
  coverage = [];
  events = [];
  #days = new Map();
  #refusal = undefined;

  constructor(camera) {
    super();
    this.camera = camera;
  }

  /// The refusal of the last request; nothing where it was granted.
  get refusal() {
    return this.#refusal;
  }

  /// Asks for what is not known of `from` … `to`. Days of UTC are the unit; a day that is not over is asked for again when it
  /// is older than some seconds.
  want(from, to) {
    const now = Date.now();
    const first = Math.floor(Math.max(from, now - KEPT) / DAY), last = Math.floor(Math.min(to, now) / DAY);
    let run;
    for (let index = first; index <= last + 1; index += 1) {
      const known = this.#days.get(index);
      const isMissing = index <= last && !(known && (known.isWhole || known.isAsked || now - known.at < FRESH));
      if (isMissing) run = run ?? index;
      else if (run !== undefined) {
        this.#ask(run, index - 1);
        run = undefined;
      }
    }
  }

  /// Whether everything of a stretch of time is known.
  knows(from, to) {
    const last = Math.floor(Math.min(to, Date.now()) / DAY);
    for (let index = Math.floor(Math.max(from, Date.now() - KEPT) / DAY); index <= last; index += 1) if (!this.#days.get(index)?.at) return false;
    return true;
  }

  /// Makes what is known of now old, so that it is asked for again.
  refresh() {
    const today = this.#days.get(Math.floor(Date.now() / DAY));
    if (today && !today.isAsked) today.at = Math.min(today.at, Date.now() - FRESH);
  }

  async #ask(first, last) {
    // Of a day that is known in part only its end is asked for.
    const known = this.#days.get(first);
    const from = known?.until ? Math.max(first * DAY, known.until - 120_000) : first * DAY;
    const to = Math.min((last + 1) * DAY, Date.now());
    for (let index = first; index <= last; index += 1) this.#days.set(index, { ...this.#days.get(index), isAsked: true, at: this.#days.get(index)?.at ?? 0 });
    try {
      const range = { from: utc(from), to: utc(to) };
      const [coverage, events] = await Promise.all([
        read(ofCamera(this.camera, `coverage${query(range)}`)),
        readAll('/v1/events', { camera: this.camera, ...range }),
      ]);
      this.#take(coverage, events, from, to);
      const at = Date.now();
      for (let index = first; index <= last; index += 1) this.#days.set(index, { at, until: to, isWhole: (index + 1) * DAY < at - 60_000 });
      this.#refusal = undefined;
    } catch (error) {
      for (let index = first; index <= last; index += 1) this.#days.set(index, { ...this.#days.get(index), isAsked: false, at: Date.now() });
      this.#refusal = error;
    }
    this.dispatchEvent(new Event('changed'));
  }

  #take(coverage, events, from, to) {
    const stretches = coverage.stretches.map((one) => ({ from: parse(one.from), to: parse(one.to), label: one.label ?? 'notConfigured', rule: one.rule }));
    this.coverage = merged(this.coverage, stretches, from, Math.max(to, stretches.at(-1)?.to ?? to));
    const told = new Set(events.map((event) => event.id));
    const others = this.events.filter((event) => !told.has(event.id));
    this.events = [...others, ...events.map(eventOf)].sort((a, b) => a.from - b.from);
  }

  /// The label at a moment; nothing where it is not known.
  labelAt(at) {
    return stretchAt(this.coverage, at);
  }

  /// The event that holds a moment, the latest where there are several.
  eventAt(at) {
    const index = indexAfter(this.events, at, (event) => event.from);
    for (let turn = index - 1; turn >= Math.max(0, index - 20); turn -= 1) if (this.events[turn].to > at) return this.events[turn];
    return undefined;
  }

  /// The event that begins next after a moment, or the one before it.
  neighbour(at, direction) {
    if (direction > 0) return this.events[indexAfter(this.events, at + 500, (event) => event.from)];
    return this.events[indexAfter(this.events, at - 1500, (event) => event.from) - 1];
  }

  /// The begin of the next stretch with media after a moment.
  nextMedia(at) {
    for (let index = indexAfter(this.coverage, at, (one) => one.to); index < this.coverage.length; index += 1) {
      const one = this.coverage[index];
      if (one.label === 'recorded') return Math.max(one.from, at);
    }
    return undefined;
  }
}

/// An event as the timeline takes it: from and to in milliseconds; one that goes on ends now.
export function eventOf(event) {
  const from = parse(event.start);
  return { ...event, from, to: event.end ? parse(event.end) : Math.max(from, Date.now()), isActive: !event.end, pictureAt: event.picture ? parse(event.picture) : undefined };
}
