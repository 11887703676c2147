// One event in a list: its picture, when, how long, how strong, where.
import { h } from '../app/dom.js';
import { eventPicture } from '../player/stills.js';
import { length, t } from '../app/words.js';

/// What began an event and how strong it was, in words.
export function causeWords(event) {
  if (event.cause === 'detection') return event.level ? t(`event.level.${event.level}`) : t('event.detection');
  return t(`event.${event.cause === 'source' ? 'source' : 'command'}`);
}

/// The zones of an event in words; nothing where none is known.
export function zoneWords(event) {
  return event.zones?.length ? event.zones.map((zone) => zone ?? t('event.outside')).join(', ') : undefined;
}

/// What was recognised during an event; nothing where nothing was.
export function labelWords(event) {
  return event.labels?.length ? event.labels.map((label) => label.name).join(', ') : undefined;
}

/// A picture that comes when it is near the window and leaves no hole where it cannot be had.
export function eventImage(event, width = 320) {
  const image = h('img', { alt: '', loading: 'lazy', decoding: 'async', src: eventPicture(event.id, width) });
  image.addEventListener('error', () => image.classList.add('is-missing'));
  return image;
}

/// A row that opens the event.
export function eventRow(event, { words, open, rest, camera }) {
  const detail = [event.isActive ? t('event.now') : length(event.to - event.from), labelWords(event), zoneWords(event)]
    .filter(Boolean).join(' · ');
  return h('li', { 'data-event': event.id },
    h('button.event-row', { type: 'button', onclick: open, 'data-level': event.level ?? 0 },
      h('span.thumb', {}, event.cloud ? event.cloud.image() : eventImage(event)),
      h('span.event-words', {},
        camera && h('span.event-camera', {}, camera),
        h('span.event-time', {}, words, event.cloud?.mark()),
        h('span.event-cause', {}, h('i.level', { 'aria-hidden': 'true' }), causeWords(event)),
        h('span.quiet', {}, detail))),
    rest);
}
