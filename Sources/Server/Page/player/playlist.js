// Reads HLS playlists (RFC 8216) of the daemon: byte ranges of track files with the time of day at which each begins. Pure.

const ATTRIBUTE = /([A-Z0-9-]+)=("[^"]*"|[^",]*)/g;

/// The attributes of a tag, without quotation marks.
export function attributes(text) {
  const out = {};
  for (const [, name, value] of text.matchAll(ATTRIBUTE)) out[name] = value.replace(/^"|"$/g, '');
  return out;
}

function byteRange(text, after) {
  const match = /^(\d+)(?:@(\d+))?$/.exec(text ?? '');
  if (!match) return undefined;
  const start = match[2] === undefined ? after : Number(match[2]);
  return { start, end: start + Number(match[1]) - 1 };
}

/// The playlists that a multivariant playlist names: `{ video, audio, codecs }`, addresses resolved against `base`.
export function multivariant(text, base) {
  const lines = text.split(/\r?\n/), out = { codecs: {} };
  lines.forEach((line, index) => {
    if (line.startsWith('#EXT-X-MEDIA:')) {
      const media = attributes(line.slice(13));
      if (media.TYPE === 'AUDIO' && media.URI && !out.audio) out.audio = new URL(media.URI, base).href;
    } else if (line.startsWith('#EXT-X-STREAM-INF:') && !out.video) {
      const address = lines.slice(index + 1).find((next) => next && !next.startsWith('#'));
      if (address) out.video = new URL(address, base).href;
      for (const codec of (attributes(line.slice(18)).CODECS ?? '').split(',').filter(Boolean)) {
        out.codecs[/^(avc|hev|hvc|av01|vp)/.test(codec) ? 'video' : 'audio'] = codec.trim();
      }
    }
  });
  return out;
}

/// Whether a playlist names others.
export const isMultivariant = (text) => text.includes('#EXT-X-STREAM-INF:');

/// The segments of a media playlist: `{ from, to, url, range, init: { url, range } }` in milliseconds of wall time, in order, and
/// whether it is at its end. Segments before the first EXT-X-PROGRAM-DATE-TIME have no place in time and are left out.
export function mediaPlaylist(text, base) {
  const segments = [];
  let init, at, duration, range, isGap = false, previous = {};
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#EXT-X-MAP:')) {
      const map = attributes(line.slice(11));
      init = { url: new URL(map.URI, base).href, range: byteRange(map.BYTERANGE, 0) };
    } else if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) {
      const time = Date.parse(line.slice(25));
      if (Number.isFinite(time)) at = time;
    } else if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(line.slice(8)) * 1000;
    else if (line.startsWith('#EXT-X-BYTERANGE:')) range = line.slice(17);
    else if (line === '#EXT-X-GAP') isGap = true;
    else if (line && !line.startsWith('#')) {
      const url = new URL(line, base).href;
      const bytes = byteRange(range, previous.url === url && previous.range ? previous.range.end + 1 : 0);
      previous = { url, range: bytes };
      if (at !== undefined && duration > 0 && init && !isGap) segments.push({ from: at, to: at + duration, url, range: bytes, init });
      if (at !== undefined && duration > 0) at += duration;
      duration = range = undefined;
      isGap = false;
    }
  }
  return { segments, isEnded: text.includes('#EXT-X-ENDLIST') };
}

/// One name for a segment, however many playlists tell of it.
export const segmentKey = (segment) => `${segment.url}#${segment.range?.start ?? 0}`;
