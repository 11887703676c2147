// The strips of small pictures of a camera's hours, as the daemon makes them: asked for once, some kept.
import { ask, ofCamera, query, read } from '../app/requests.js';
import { site } from '../app/site.js';
import { HOUR, parse, utc } from '../app/time.js';
import { indexAfter } from '../timeline/geometry.js';

const KEPT = 12, FRESH = 15_000, FAR = 120_000;

export class Strips extends EventTarget {
  #strips = new Map();

  constructor(camera) {
    super();
    this.camera = camera;
  }

  /// The strip of the hour that holds `at`, `{ image, tiles }`, where it is here; else it is asked for, and `loaded` is told. One of
  /// an hour that is not over is asked for again after some seconds.
  have(at) {
    const hour = Math.floor(at / HOUR) * HOUR;
    const known = this.#strips.get(hour);
    if (!known || (!known.isAsking && performance.now() - known.asked > (known.isWhole ? Infinity : FRESH))) this.#ask(hour, known);
    return this.#strips.get(hour);
  }

  /// What is shown of the picture nearest before a moment, `{ image, tile }`; nothing where none is here that is near enough.
  pictureAt(at) {
    const strip = this.have(at);
    if (!strip?.image) return undefined;
    const tile = strip.tiles[Math.max(0, indexAfter(strip.tiles, at, (one) => one.at) - 1)];
    return tile && Math.abs(tile.at - at) < FAR ? { image: strip.image, tile: site.part(this.camera, tile) } : undefined;
  }

  async #ask(hour, known) {
    if (hour > Date.now()) return;
    const strip = { ...known, asked: performance.now(), isAsking: true };
    this.#strips.delete(hour);
    this.#strips.set(hour, strip);
    if (this.#strips.size > KEPT) this.#strips.delete(this.#strips.keys().next().value);
    const values = query({ hour: utc(hour) });
    try {
      const told = await read(ofCamera(this.camera, `thumbnails.json${values}`));
      const blob = await (await ask(ofCamera(this.camera, `thumbnails${values}`))).blob();
      const url = URL.createObjectURL(blob);
      const image = await loaded(url);
      URL.revokeObjectURL(url);
      Object.assign(strip, { image, tiles: tilesOf(told), isWhole: Boolean(told.complete) });
    } catch {
      // Nothing was recorded in that hour, or the strip cannot be made now; the hour is asked for again later.
    }
    strip.isAsking = false;
    this.dispatchEvent(new Event('loaded'));
  }
}

/// The tiles of a strip: `{ at, x, y, width, height }` in order.
export function tilesOf({ width, height, tiles }) {
  return (tiles ?? []).map((tile) => ({ at: parse(tile.at), x: tile.x, y: tile.y, width, height })).filter((tile) => tile.at !== undefined);
}

/// An image when its picture is there.
export function loaded(url) {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error('a picture that cannot be shown'));
    image.src = url;
  });
}
