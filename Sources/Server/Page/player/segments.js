// The segments of a camera's past by time: playlists are asked for in windows of some minutes, and kept while they are near.
import { Refusal, ask, ofCamera, query } from '../app/requests.js';
import { MINUTE, utc } from '../app/time.js';
import { indexAfter } from '../timeline/geometry.js';
import { isMultivariant, mediaPlaylist, multivariant, segmentKey } from './playlist.js';

const WINDOW = 10 * MINUTE;
const FRESH = 2000;
const KEPT = 8;

export class Segments {
  codecs = {};
  hasSound = false;
  #windows = new Map();

  constructor(camera, session) {
    this.camera = camera;
    this.session = session;
  }

  /// The segments of a kind (`video`, `audio`) from the window that holds `at` on; asks where they are not known. Throws a
  /// `Refusal` where the playlist cannot be had for another reason than that nothing was recorded.
  async around(at, kind) {
    const key = Math.floor(at / WINDOW);
    const now = performance.now();
    let known = this.#windows.get(key);
    if (!known || (!known.isEnded && now - known.asked > FRESH && !known.isAsking)) {
      const asking = this.#ask(key);
      this.#windows.set(key, { ...(known ?? { video: [], audio: [] }), asked: now, isAsking: true, asking });
      known = this.#windows.get(key);
    }
    if (known.asking) await known.asking;
    this.#forget(key);
    return this.#windows.get(key)?.[kind] ?? [];
  }

  #forget(key) {
    for (const other of this.#windows.keys()) if (Math.abs(other - key) > KEPT) this.#windows.delete(other);
  }

  async #ask(key) {
    const from = key * WINDOW, to = Math.min(from + WINDOW, Date.now());
    const result = { video: [], audio: [], isEnded: from + WINDOW < Date.now() - MINUTE };
    try {
      if (to > from) {
        const address = ofCamera(this.camera, `play.m3u8${query({ from: utc(from), to: utc(to), session: this.session })}`);
        await this.#readInto(result, new URL(address, location.href).href);
      }
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) {
        this.#windows.delete(key);
        throw error;
      }
    }
    this.#windows.set(key, { ...result, asked: performance.now() });
  }

  async #readInto(result, address) {
    const text = await (await ask(address)).text();
    if (!isMultivariant(text)) {
      result.video = mediaPlaylist(text, address).segments;
      return;
    }
    const { video, audio, codecs } = multivariant(text, address);
    this.codecs = { ...this.codecs, ...codecs };
    this.hasSound = Boolean(audio);
    const media = async (url) => (url ? mediaPlaylist(await (await ask(url)).text(), url).segments : []);
    [result.video, result.audio] = await Promise.all([media(video), media(audio)]);
  }

  /// The segment that holds `at`, else the next one that begins within the window of `at` or the one after it.
  async next(at, kind) {
    for (const place of [at, at + WINDOW]) {
      if (place > Date.now() + 5000) break;
      const list = await this.around(place, kind);
      const found = list[indexAfter(list, at + 5, (segment) => segment.to)];
      if (found) return found;
    }
    return undefined;
  }
}

const headers = new Map();

/// The bytes of a range of a file. Headers are kept, for each clip has one and all its segments need it.
export async function bytesOf({ url, range }, signal) {
  const response = await ask(url, { signal, headers: range ? { Range: `bytes=${range.start}-${range.end}` } : {} });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return range && response.status === 200 ? bytes.subarray(range.start, range.end + 1) : bytes;
}

/// The header that a segment needs.
export async function headerOf(segment, signal) {
  const key = segmentKey(segment.init);
  if (!headers.has(key)) {
    if (headers.size >= 64) headers.delete(headers.keys().next().value);
    headers.set(key, await bytesOf(segment.init, signal));
  }
  return headers.get(key);
}
