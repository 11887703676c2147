// Reads what is needed of CMAF headers and fragments: the codec, the time scale, the time of the first frame. Pure; damage gives
// nothing, never an exception.

/// The boxes from `start` to `end` of `bytes`: `[type, start of what it holds, end]`.
export function* boxes(bytes, start = 0, end = bytes.length) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  while (start + 8 <= end) {
    let size = view.getUint32(start), head = 8;
    if (size === 1 && start + 16 <= end) {
      size = Number(view.getBigUint64(start + 8));
      head = 16;
    } else if (size === 0) size = end - start;
    if (size < head || start + size > end) return;
    yield [String.fromCharCode(...bytes.subarray(start + 4, start + 8)), start + head, start + size];
    start += size;
  }
}

/// The place of the first box below a path of types: `[start, end]`, or nothing.
export function find(bytes, path, start = 0, end = bytes.length) {
  for (const [type, from, to] of boxes(bytes, start, end)) {
    if (type !== path[0]) continue;
    return path.length === 1 ? [from, to] : find(bytes, path.slice(1), from, to);
  }
  return undefined;
}

const hex = (value) => value.toString(16).padStart(2, '0');

/// The time scale of a header; nothing where it cannot be read.
export function timescale(header) {
  const place = find(header, ['moov', 'trak', 'mdia', 'mdhd']);
  if (!place || place[0] + 24 > place[1]) return undefined;
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  return view.getUint32(place[0] + (header[place[0]] === 1 ? 20 : 12)) || undefined;
}

/// The codec of a header as RFC 6381 writes it; nothing where it is not known here.
export function codec(header) {
  const table = find(header, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']);
  if (!table) return undefined;
  for (const [type, from, to] of boxes(header, table[0] + 8, table[1])) {
    if (type === 'avc1' || type === 'avc3') {
      const place = find(header, ['avcC'], from + 78, to);
      return place && place[1] - place[0] >= 4 ? `${type}.${hex(header[place[0] + 1])}${hex(header[place[0] + 2])}${hex(header[place[0] + 3])}` : undefined;
    }
    if (type === 'hvc1' || type === 'hev1') return `${type}.1.6.L120.90`;
    if (type === 'mp4a') return 'mp4a.40.2';
    if (type === 'Opus') return 'opus';
    if (type === 'fLaC') return 'flac';
    return type;
  }
  return undefined;
}

/// The time of a fragment's first frame in units of its track; nothing where it cannot be read.
export function firstTime(fragment) {
  const place = find(fragment, ['moof', 'traf', 'tfdt']);
  if (!place || place[0] + 8 > place[1]) return undefined;
  const view = new DataView(fragment.buffer, fragment.byteOffset, fragment.byteLength);
  if (fragment[place[0]] === 1) return place[0] + 12 > place[1] ? undefined : Number(view.getBigUint64(place[0] + 4));
  return view.getUint32(place[0] + 4);
}
