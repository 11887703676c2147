// The events that only the cloud has, as the review takes them.
import { HOUR } from '../app/time.js';
import { cloudEvents } from '../timeline/cloud-record.js';
import { Feed } from './review-feed.js';

export { cloudLine } from '../player/cloud-pictures.js';

const PAGE = 60, MANY = 1000;

/// The listing of a camera's events, the newest first.
export function cloudFeed(camera, filters) {
  const limit = filters.level || filters.zone || filters.label || filters.cause ? MANY : PAGE;
  const known = new Set();
  let to = Date.now() + HOUR, isOver = false;
  return new Feed(async () => {
    if (isOver) return undefined;
    const page = await cloudEvents(camera, { from: 0, to, order: 'newest', limit }), fresh = page.filter((event) => !known.has(event.id));
    isOver = page.length < limit || !fresh.length;
    for (const event of fresh) known.add(event.id);
    // Those that began at the same time as the last one may stand on both pages.
    if (page.length) to = page.at(-1).from + 1;
    return fresh.filter((event) => passes(event, filters));
  }, true);
}

/// Whether an event is asked for. What the disk has a row of was filtered there.
export function passes(event, { level, zone, label, cause, unseen }) {
  if (event.disk !== undefined) return true;
  if (unseen || (level && String(event.level) !== level) || (cause && event.cause !== cause)) return false;
  if (label && !event.labels?.some((one) => label.split(',').includes(one.name))) return false;
  return !zone || event.zones.some((one) => (one ?? 'outside') === zone);
}
