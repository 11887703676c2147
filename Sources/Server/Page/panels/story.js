// The story of a counter-example: its moments on a small scale of time, and below it in words.
import { h } from '../app/dom.js';
import { length } from '../app/words.js';

const NEAREST = 0.07;

/// Milliseconds of a moment of a story: `12 s` from its begin, or `2026-03-29 02:30 (UTC+1)`; nothing where it is a sum.
export function momentOf(text) {
  const seconds = /^(\d+) s$/.exec(text);
  if (seconds) return Number(seconds[1]) * 1000;
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d) \(UTC([+-])(\d{1,2})(?::(\d\d))?\)$/.exec(text);
  if (!found) return undefined;
  const [, day, time, sign, hours, minutes = 0] = found;
  return Date.parse(`${day}T${time}Z`) - Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/// Where moments in order lie on a scale from 0 to 1: as far apart as they are, but never so near that their marks touch.
export function places(moments) {
  const span = moments.at(-1) - moments[0], nearest = Math.min(NEAREST, 1 / moments.length);
  const gaps = moments.slice(1).map((at, index) => Math.max(span > 0 ? (at - moments[index]) / span : 0, nearest));
  const sum = gaps.reduce((total, gap) => total + gap, 0);
  let place = 0;
  return [0, ...gaps.map((gap) => (place += gap / sum))];
}

/// A story, its lines as `{ at, what }`.
export function story(lines) {
  const items = h('ol.story', {}, lines.map((line) => h('li', {}, line.at && h('time', {}, line.at), h('span', {}, line.what))));
  const marked = lines.map((line, index) => ({ number: index + 1, at: momentOf(line.at) })).filter((one) => one.at !== undefined).sort((a, b) => a.at - b.at);
  if (marked.length < 2 || marked.length > 12 || marked.at(-1).at === marked[0].at) return items;
  items.classList.add('is-numbered');
  const at = places(marked.map((one) => one.at));
  const scale = h('div.story-scale', { 'aria-hidden': 'true' }, marked.flatMap((one, index) => {
    const mark = h('i', {}, String(one.number));
    mark.style.left = `${100 * at[index]}%`;
    if (!index || at[index] - at[index - 1] < 0.16 || one.at === marked[index - 1].at) return mark;
    const words = h('span', {}, length(one.at - marked[index - 1].at));
    words.style.left = `${50 * (at[index] + at[index - 1])}%`;
    return [mark, words];
  }));
  return h('div', {}, scale, items);
}
