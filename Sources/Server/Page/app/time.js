// Times: milliseconds since 1970 inside, the site's time zone on the page, RFC 3339 in addresses and requests. Pure, but for
// the zone that is set once.

export const SECOND = 1000, MINUTE = 60_000, HOUR = 3_600_000, DAY = 86_400_000;

let zone = 'UTC';
let language = 'en';
let formats = new Map();

/// Sets the site's time zone and the reader's language.
export function setZone(name, tag = language) {
  zone = name;
  language = tag;
  formats = new Map();
}

/// The zone's name where the browser's clock differs from the site's at `at`; else nothing.
export function foreignZone(at = Date.now()) {
  return -new Date(at).getTimezoneOffset() * MINUTE === offset(at) ? undefined : zone;
}

function format(options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(options.tag ?? language, { timeZone: zone, ...options.of }));
  return formats.get(key);
}

const PARTS = { tag: 'en-GB', of: { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } };

/// The wall clock of the site at a moment: year, month (1…12), day, hour, minute, second.
export function wall(at) {
  const part = {};
  for (const { type, value } of format(PARTS).formatToParts(at)) part[type] = Number(value);
  return part;
}

/// How far the site's clock is ahead of UTC at a moment, in milliseconds.
export function offset(at) {
  const { year, month, day, hour, minute, second } = wall(at);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / SECOND) * SECOND;
}

/// The moment at which the site's clock shows this. Of a time that comes twice the first, of one that never comes the moment
/// as far behind the change.
export function moment(year, month, day, hour = 0, minute = 0, second = 0) {
  const plain = Date.UTC(year, month - 1, day, hour, minute, second);
  const first = plain - offset(plain - DAY);
  if (offset(first) === offset(plain - DAY)) return first;
  return plain - offset(plain + DAY);
}

/// The day's begin that holds `at`, or of one so many days later.
export function dayStart(at, later = 0) {
  const { year, month, day } = wall(at);
  return moment(year, month, day + later);
}

/// `2026-11-21` of a moment.
export function dayName(at) {
  const { year, month, day } = wall(at);
  return `${year}-${two(month)}-${two(day)}`;
}

/// The begin of the day of this name; nothing where it is none.
export function dayOf(name) {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(name ?? '');
  return match ? moment(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
}

const two = (value) => String(value).padStart(2, '0');

/// The moment as requests say it: UTC with milliseconds.
export function utc(at) {
  return new Date(at).toISOString();
}

/// The moment as an address shows it: the site's clock with its distance from UTC.
export function local(at) {
  const shift = offset(at), minutes = Math.abs(shift) / MINUTE;
  const text = new Date(at + shift).toISOString().slice(0, at % SECOND ? 23 : 19);
  return `${text}${shift < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/// Reads RFC 3339; nothing where it is none. A `+` that an address turned into a blank is taken as one.
export function parse(text) {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+ -]\d\d:?\d\d)$/.test(text ?? '')) return undefined;
  const at = Date.parse(text.replace(' ', '+'));
  return Number.isFinite(at) ? at : undefined;
}

/// `03:12:05`, `03:12` or `03:12:05.250`.
export function clock(at, precision = 'second') {
  const { hour, minute, second } = wall(at);
  const text = `${two(hour)}:${two(minute)}`;
  if (precision === 'minute') return text;
  if (precision === 'second') return `${text}:${two(second)}`;
  return `${text}:${two(second)}.${String(Math.floor(((at % SECOND) + SECOND) % SECOND)).padStart(3, '0')}`;
}

/// `Sat 21 Nov`, with the year where it is another one than `now`'s.
export function day(at, now = Date.now()) {
  const sameYear = wall(at).year === wall(now).year;
  return format({ of: { weekday: 'short', day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) } }).format(at);
}

/// `21`, for the lines of a month.
export function dayNumber(at) {
  return String(wall(at).day);
}

/// `November 2026`.
export function month(at) {
  return format({ of: { month: 'long', year: 'numeric' } }).format(at);
}

/// Day and clock of a moment, the day left out where it is `now`'s.
export function stamp(at, precision = 'second', now = Date.now()) {
  return dayName(at) === dayName(now) ? clock(at, precision) : `${day(at, now)} ${clock(at, precision)}`;
}

/// The names of the days of the week, Monday first.
export function weekdays() {
  return [5, 6, 7, 8, 9, 10, 11].map((of) => new Intl.DateTimeFormat(language, { weekday: 'narrow', timeZone: 'UTC' }).format(Date.UTC(2026, 0, of)));
}
