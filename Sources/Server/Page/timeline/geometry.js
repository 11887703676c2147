// Where moments lie on the timeline, and back. Pure: a window of time is `{ from, span }` in milliseconds, a place is in pixels.
import { DAY, HOUR, MINUTE, SECOND, clock, day, dayNumber, dayStart, month } from '../app/time.js';

export const LEAST = 10 * SECOND, MOST = 31 * DAY;

/// The names of spans in addresses.
export const SPANS = { month: 31 * DAY, week: 7 * DAY, day: DAY, hour: HOUR, minute: MINUTE };

/// A span by its name or its seconds; nothing where it is neither.
export function spanOf(text) {
  if (Object.hasOwn(SPANS, text ?? '')) return SPANS[text];
  const seconds = Number(text);
  return text && Number.isFinite(seconds) ? clamp(seconds * SECOND, LEAST, MOST) : undefined;
}

/// The name of a span, or its seconds.
export function spanName(span) {
  const named = Object.entries(SPANS).find(([, ms]) => Math.abs(ms - span) < ms / 100);
  return named ? named[0] : String(Math.round(span / SECOND));
}

export const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

/// The place of a moment.
export const placeOf = (view, width, at) => ((at - view.from) / view.span) * width;

/// The moment of a place.
export const momentOf = (view, width, x) => view.from + (x / width) * view.span;

/// The window after a zoom by `factor` (below 1: nearer) around a moment, which keeps its place.
export function zoomed(view, factor, around) {
  const span = clamp(view.span * factor, LEAST, MOST);
  return { from: around - ((around - view.from) / view.span) * span, span };
}

/// The window of the same span around a moment.
export const centred = (view, at) => ({ from: at - view.span / 2, span: view.span });

// The steps of the lines: how long, and how many pixels a line with its text needs at least.
const STEPS = [SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
  15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];

/// The lines of a window: `{ at, text, isDay }`, in order. Those of hours and less are counted from the day's begin, so that
/// they lie on the wall clock's hours on days of 23 and 25 hours too.
export function lines(view, width, room = 64) {
  const least = (view.span / width) * room;
  const step = STEPS.find((ms) => ms >= least);
  const out = [];
  let start = dayStart(view.from);
  const last = view.from + view.span;
  const days = step ? 1 : Math.max(1, Math.ceil(least / DAY));
  for (let turn = 0; start <= last && turn < 64; turn += 1) {
    const next = dayStart(start + (days - 1) * DAY + 26 * HOUR);
    if (start >= view.from) out.push({ at: start, text: dayText(start, view), isDay: true });
    if (step) addSteps(out, view, start, Math.min(next, last), step);
    start = next;
  }
  return out;
}

function addSteps(out, view, start, end, step) {
  const precision = step < MINUTE ? 'second' : 'minute';
  let at = start + Math.max(1, Math.ceil((view.from - start) / step)) * step;
  for (; at < end; at += step) out.push({ at, text: clock(at, precision), isDay: false });
}

const dayText = (at, view) => (view.span > 10 * DAY ? (dayNumber(at) === '1' ? month(at) : dayNumber(at)) : day(at));

/// The first index of `list`, which is in order, whose `key` is greater than `value`.
export function indexAfter(list, value, key) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/// The stretches `{ from, to }` of an ordered list without overlaps that meet a window.
export function within(list, from, to) {
  const out = [];
  for (let index = indexAfter(list, from, (one) => one.to); index < list.length && list[index].from < to; index += 1) out.push(list[index]);
  return out;
}

/// The stretch that holds a moment; nothing where none does.
export function stretchAt(list, at) {
  const found = list[indexAfter(list, at, (one) => one.to)];
  return found && found.from <= at ? found : undefined;
}

/// What is drawn of stretches that are narrower than a pixel: for each run of such pixels the label that takes most of it.
export function columns(stretches, view, width) {
  const out = [];
  let narrow = new Map(), begin = 0;
  const flush = (end) => {
    if (!narrow.size) return;
    const [label] = [...narrow].reduce((most, one) => (one[1] > most[1] ? one : most));
    out.push({ label, x: begin, width: Math.max(1, end - begin) });
    narrow = new Map();
  };
  for (const stretch of stretches) {
    const x = clamp(placeOf(view, width, stretch.from), 0, width), end = clamp(placeOf(view, width, stretch.to), 0, width);
    if (end <= x && !(stretch.to > stretch.from)) continue;
    if (end - x >= 1) {
      flush(x);
      out.push({ label: stretch.label, x, width: end - x, stretch });
      continue;
    }
    if (!narrow.size) begin = Math.floor(x);
    narrow.set(stretch.label, (narrow.get(stretch.label) ?? 0) + end - x);
    if (end - begin >= 1) flush(Math.ceil(end));
  }
  flush(begin + 1);
  return out;
}

/// Puts stretches into an ordered list in the place of what it says of `from` … `to`.
export function merged(list, stretches, from, to) {
  const out = [];
  for (const one of list) {
    if (one.to <= from || one.from >= to) out.push(one);
    else {
      if (one.from < from) out.push({ ...one, to: from });
      if (one.to > to) out.push({ ...one, from: to });
    }
  }
  out.push(...stretches);
  return out.sort((a, b) => a.from - b.from);
}
