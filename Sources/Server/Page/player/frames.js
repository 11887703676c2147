// The frames of a camera's past, one by one: their times are read from the fragments, for after a seek a browser may tell the time
// that was sought instead of its frame's.
import { boxes, find, firstTime, timescale } from './boxes.js';
import { bytesOf, headerOf } from './segments.js';
import { segmentKey } from './playlist.js';

const MOST = 10_000, KEPT = 16; // frames of one fragment; segments
// Milliseconds: how well times are known, how far behind its begin a frame is aimed at, what a hole is.
const EXACT = 1.5, INSIDE = 20, HOLE = 250;

/// The times at which the frames of some fragments are shown, in units of their track, in order; what cannot be read is left out.
/// `header` is that of the track, for a length that all frames share.
export function frameTimes(header, fragments) {
  const out = [], usual = number(header, find(header, ['moov', 'mvex', 'trex']), 12) ?? 0;
  for (const [type, from, to] of boxes(fragments)) {
    if (type === 'moof') out.push(...timesOfFragment(fragments, from, to, usual));
  }
  return out.sort((one, other) => one - other);
}

const number = (bytes, place, at) => (place && place[0] + at + 4 <= place[1] ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(place[0] + at) : undefined);

// ISO/IEC 14496-12, 8.8.7 and 8.8.8: the flags say which fields are there.
function timesOfFragment(bytes, start, end, usual) {
  const track = find(bytes, ['traf'], start, end), out = [];
  const head = track && find(bytes, ['tfhd'], ...track), flags = number(bytes, head, 0);
  let at = track && firstTime(bytes.subarray(start - 8));
  if (flags === undefined || at === undefined) return out;
  const shared = flags & 8 ? number(bytes, head, 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0)) : usual;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [type, from, to] of boxes(bytes, ...track)) {
    if (type !== 'trun' || from + 8 > to) continue;
    const has = view.getUint32(from), each = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => has & flag).length;
    let sample = from + 8 + (has & 1 ? 4 : 0) + (has & 4 ? 4 : 0);
    for (let left = Math.min(view.getUint32(from + 4), MOST); left > 0 && sample + each <= to; left -= 1, sample += each) {
      out.push(at + (has & 0x800 ? view.getInt32(sample + each - 4) : 0));
      at += has & 0x100 ? view.getUint32(sample) : shared;
    }
  }
  return out.filter(Number.isFinite);
}

// A moment in the first half of a frame.
const within = (times, place, segment) => times[place] + Math.min(INSIDE, ((times[place + 1] ?? segment.to) - times[place]) / 2);

export class Frames {
  #segments;
  #known = new Map();

  constructor(segments) {
    this.#segments = segments;
  }

  /// A moment within the frame that follows (1) or precedes (-1) the one of `at`; at a hole, a moment in it.
  async beside(at, direction, signal) {
    // A clip may end some milliseconds behind the begin of the next one.
    const segment = (await this.#segments.around(at, 'video')).findLast((one) => one.from <= at + EXACT);
    if (!segment || at > segment.to + HOLE) return at;
    const times = await this.#times(segment, signal), wanted = times.findLastIndex((time) => time <= at + EXACT) + direction;
    if (wanted >= 0 && wanted < times.length) return within(times, wanted, segment);
    const other = await (direction > 0 ? this.#after(segment) : this.#before(segment));
    if (!other || Math.max(other.from - segment.to, segment.from - other.to) > HOLE) return direction > 0 ? segment.to + INSIDE : segment.from;
    const others = await this.#times(other, signal);
    return others.length ? within(others, direction > 0 ? 0 : others.length - 1, other) : at;
  }

  async #after(segment) {
    return (await this.#segments.around(segment.to + HOLE, 'video')).find((one) => one.from > segment.from + EXACT);
  }

  async #before(segment) {
    return (await this.#segments.around(segment.from - HOLE, 'video')).findLast((one) => one.from < segment.from - EXACT);
  }

  // Wall times: a segment begins at the first time of its fragments.
  async #times(segment, signal) {
    const key = segmentKey(segment);
    if (!this.#known.has(key)) {
      const [header, media] = await Promise.all([headerOf(segment, signal), bytesOf(segment, signal)]);
      const first = firstTime(media), scale = timescale(header);
      if (this.#known.size >= KEPT) this.#known.delete(this.#known.keys().next().value);
      this.#known.set(key, frameTimes(header, media).map((time) => segment.from + ((time - first) / scale) * 1000));
    }
    return this.#known.get(key);
  }
}
