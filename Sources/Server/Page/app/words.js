// The words of the page in the reader's language, and its numbers. Times are in time.js.

const LANGUAGES = ['en', 'it', 'es', 'de'];
const messages = {}, files = new Set();
let plural = new Intl.PluralRules('en');

/// The language in use, such as `it`.
export let language = 'en';

/// The languages of the page, each with its own name.
export const names = { en: 'English', it: 'Italiano', es: 'Español', de: 'Deutsch' };

/// Chooses the language, that of before, else the first of the browser's that the page has, else English; and loads the words that
/// every view needs.
export async function beginWords() {
  const wanted = [stored('language'), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  language = wanted.find((tag) => LANGUAGES.includes(tag)) ?? 'en';
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  await loadWords('page');
}

/// Loads the words of a file, once.
export async function loadWords(file) {
  if (files.has(file)) return;
  const response = await fetch(`/words/${language}/${file}.json`);
  if (!response.ok) throw new Error(`the words of the page (${language}, ${file}) cannot be read: ${response.status}`);
  Object.assign(messages, await response.json());
  files.add(file);
}

/// The message of a key with its values put in: `t('wall.alarms', { count: 3 })`. A count chooses `key.one` or `key.other` where
/// the message has these forms.
export function t(key, values = {}) {
  const form = values.count === undefined ? undefined : messages[`${key}.${plural.select(values.count)}`] ?? messages[`${key}.other`];
  const message = form ?? messages[key] ?? key;
  return message.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === 'number' ? number(values[name]) : values[name] ?? ''));
}

/// Whether there is such a message.
export function has(key) {
  return key in messages;
}

/// A number as the language writes it.
export function number(value, digits = 0) {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}

/// A size in bytes, in powers of ten.
export function size(bytes) {
  if (bytes === undefined || bytes === null) return '–';
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let power = 0;
  while (bytes >= 1000 && power < units.length - 1) {
    bytes /= 1000;
    power += 1;
  }
  return `${number(bytes, bytes < 10 && power > 1 ? 1 : 0)} ${units[power]}`;
}

/// A length of time in words that are short: `3 d 4 h`, `12 min`, `8 s`.
export function length(ms) {
  const s = Math.round(ms / 1000);
  if (s < 60) return t('length.s', { s });
  if (s < 3600) return s % 60 && s < 600 ? t('length.ms', { m: Math.floor(s / 60), s: s % 60 }) : t('length.m', { m: Math.round(s / 60) });
  const m = Math.round(s / 60);
  if (m < 1440) return m % 60 ? t('length.hm', { h: Math.floor(m / 60), m: m % 60 }) : t('length.h', { h: m / 60 });
  const hours = Math.round(m / 60);
  return hours % 24 ? t('length.dh', { d: Math.floor(hours / 24), h: hours % 24 }) : t('length.d', { d: hours / 24 });
}

/// The words of a label of coverage; one that the page does not know stands as it is.
export function labelWords(label) {
  return has(`label.${label}`) ? t(`label.${label}`) : label;
}

/// Something that this browser remembers; nothing where it may not.
export function stored(key) {
  try {
    return localStorage.getItem(`vigil.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/// Makes this browser remember something, if it may.
export function store(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(`vigil.${key}`);
    else localStorage.setItem(`vigil.${key}`, value);
  } catch {
    // A browser that keeps nothing shows the page as it is at first.
  }
}
