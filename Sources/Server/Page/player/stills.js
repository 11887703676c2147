// Single pictures of the past: while a hand scrubs, from the hour's strip where there is one, then the frame itself.
import { ask, ofCamera, query } from '../app/requests.js';
import { site } from '../app/site.js';
import { utc } from '../app/time.js';
import { loaded } from './strips.js';

const PICTURES = 48, REST = 140;

/// The address of the picture of a moment.
export const pictureAddress = (camera, at, width) => ofCamera(camera, `picture${query({ at: utc(Math.round(at)), width })}`);

/// The address of an event's picture.
export const eventPicture = (event, width = 320) => `/v1/events/${event}/snapshot${query({ width })}`;

export class Stills {
  #pictures = new Map();
  #timer = 0;
  #turn = 0;

  /// `canvas` shows what is nearest, at most `width` pixels wide.
  constructor(strips, canvas, width = 960) {
    Object.assign(this, { strips, canvas, width });
  }

  end() {
    this.rest();
    this.#pictures.clear();
  }

  /// Shows the picture nearest to a moment at once if it is here, and a sharper one when the hand rests.
  show(at) {
    this.rest();
    const turn = this.#turn;
    this.#timer = setTimeout(() => this.#sharpen(at, turn), REST);
    const kept = this.#pictures.get(this.#key(at));
    if (kept) return void this.#draw(kept);
    const near = this.strips.pictureAt(at);
    if (near) this.#draw(near.image, near.tile);
  }

  /// Shows what a video shows, until something else does.
  cover(video) {
    if (video.videoWidth) this.#draw(video, site.part(this.strips.camera, { width: video.videoWidth, height: video.videoHeight }));
  }

  /// Stops showing.
  rest() {
    this.#turn += 1;
    clearTimeout(this.#timer);
  }

  async #sharpen(at, turn) {
    const image = await this.#picture(at).catch(() => undefined);
    if (turn === this.#turn && image) this.#draw(image);
  }

  // Pictures come cut.
  #key = (at) => `${Math.round(at / 1000)} ${site.viewport(this.strips.camera)}`;

  async #picture(at) {
    const key = this.#key(at);
    const kept = this.#pictures.get(key);
    if (kept) return kept;
    const url = URL.createObjectURL(await (await ask(pictureAddress(this.strips.camera, at, this.width))).blob());
    const image = await loaded(url);
    URL.revokeObjectURL(url);
    if (this.#pictures.size >= PICTURES) this.#pictures.delete(this.#pictures.keys().next().value);
    this.#pictures.set(key, image);
    return image;
  }

  #draw(image, tile) {
    const { canvas } = this;
    const [x, y, width, height] = tile ? [tile.x, tile.y, tile.width, tile.height] : [0, 0, image.naturalWidth, image.naturalHeight];
    if (!width || !height) return;
    const size = { width: Math.floor(width), height: Math.floor(height) };
    if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
    canvas.getContext('2d').drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
    canvas.hidden = false;
  }
}
