// Single pictures of the past: while a hand scrubs, from the hour's sprite strip where there is one, then the frame itself.
import { ask, ofCamera, query, read } from '../app/requests.js';
import { HOUR, parse, utc } from '../app/time.js';
import { indexAfter } from '../timeline/geometry.js';

const STRIPS = 6, PICTURES = 48, REST = 140;

/// The address of the picture of a moment.
export const pictureAddress = (camera, at, width) => ofCamera(camera, `picture${query({ at: utc(Math.round(at)), width })}`);

/// The address of an event's picture.
export const eventPicture = (event, width = 320) => `/v1/events/${event}/snapshot${query({ width })}`;

export class Stills {
  #strips = new Map();
  #pictures = new Map();
  #hasStrips = true;
  #timer = 0;
  #turn = 0;

  /// `canvas` shows what is nearest.
  constructor(camera, canvas) {
    this.camera = camera;
    this.canvas = canvas;
  }

  end() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    for (const picture of this.#pictures.values()) URL.revokeObjectURL(picture.src);
    this.#pictures.clear();
  }

  /// Shows the picture nearest to a moment at once if it is here, and a sharper one when the hand rests.
  async show(at) {
    const turn = (this.#turn += 1);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sharpen(at, turn), REST);
    const kept = this.#pictures.get(Math.round(at / 1000));
    if (kept) {
      this.#draw(kept);
      return;
    }
    const strip = this.#hasStrips ? await this.#strip(Math.floor(at / HOUR) * HOUR).catch(() => undefined) : undefined;
    if (turn !== this.#turn || !strip) return;
    const tile = strip.tiles[Math.max(0, indexAfter(strip.tiles, at, (one) => one.at) - 1)];
    if (tile && Math.abs(tile.at - at) < 120_000) this.#draw(strip.image, tile);
  }

  /// Stops showing.
  rest() {
    this.#turn += 1;
    clearTimeout(this.#timer);
  }

  async #sharpen(at, turn) {
    const image = await this.#picture(at, 960).catch(() => undefined);
    if (turn === this.#turn && image) this.#draw(image);
  }

  async #picture(at, width) {
    const key = Math.round(at / 1000);
    if (this.#pictures.has(key)) return this.#pictures.get(key);
    const blob = await (await ask(pictureAddress(this.camera, at, width))).blob();
    const image = await loaded(URL.createObjectURL(blob));
    if (this.#pictures.size >= PICTURES) {
      const [first, old] = this.#pictures.entries().next().value;
      URL.revokeObjectURL(old.src);
      this.#pictures.delete(first);
    }
    this.#pictures.set(key, image);
    return image;
  }

  /// The strip of an hour; one of the hour that is not over is asked for again after some seconds.
  #strip(hour) {
    const known = this.#strips.get(hour);
    if (known && (hour + HOUR < Date.now() || performance.now() - known.asked < 10_000)) return known.promise;
    const promise = this.#askStrip(hour);
    if (this.#strips.size >= STRIPS) this.#strips.delete(this.#strips.keys().next().value);
    this.#strips.set(hour, { promise, asked: performance.now() });
    return promise;
  }

  async #askStrip(hour) {
    const values = query({ hour: utc(hour) });
    try {
      const told = await read(ofCamera(this.camera, `thumbnails.json${values}`));
      const blob = await (await ask(ofCamera(this.camera, `thumbnails${values}`))).blob();
      return { image: await loaded(URL.createObjectURL(blob)), tiles: tilesOf(told) };
    } catch (error) {
      if (error.status === 404 && /route/i.test(error.what ?? '')) this.#hasStrips = false;
      throw error;
    }
  }

  #draw(image, tile) {
    const { canvas } = this;
    const [x, y, width, height] = tile ? [tile.x, tile.y, tile.width, tile.height] : [0, 0, image.naturalWidth, image.naturalHeight];
    if (!width || !height) return;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    canvas.getContext('2d').drawImage(image, x, y, width, height, 0, 0, width, height);
    canvas.hidden = false;
  }
}

/// The tiles of a strip: `{ at, x, y, width, height }` in order.
export function tilesOf(told) {
  const { tileWidth, tileHeight, columns } = told;
  return (told.tiles ?? []).map((tile, index) => ({
    at: parse(tile.at ?? tile.time),
    x: tile.x ?? (index % (columns ?? told.tiles.length)) * (tileWidth ?? told.width),
    y: tile.y ?? Math.floor(index / (columns ?? told.tiles.length)) * (tileHeight ?? told.height),
    width: tile.width ?? tileWidth ?? told.width,
    height: tile.height ?? tileHeight ?? told.height,
  })).filter((tile) => tile.at !== undefined);
}

function loaded(url) {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error('a picture that cannot be shown'));
    image.src = url;
  });
}
