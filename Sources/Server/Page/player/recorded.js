// A camera's past: the byte ranges of its tracks into MSE, wall time as the media's time. A hole is time in which nothing is
// shown and the clock goes on, or which is skipped.
import { HOUR } from '../app/time.js';
import { codec as codecOf, firstTime, timescale } from './boxes.js';
import { Buffer, openSource, plays } from './buffer.js';
import { bytesOf, headerOf, Segments } from './segments.js';
import { segmentKey } from './playlist.js';

const AHEAD = 12, KEPT = 20, TURN = 200, CLOSE = 0.08, SEAM = 0.35;
// Milliseconds: how long media may be on its way, how often it is asked for.
const LATE = 10_000, ASK_EACH = 1000;

export class RecordedPlayer extends EventTarget {
  speed = 1;
  skipsHoles = false;
  #segments;
  #base = 0;
  #sought = undefined;
  #buffers = new Map();
  #appended = new Map();
  #isPlaying = false;
  #hole = undefined;
  #asked = 0;
  #timer = 0;
  #isFilling = false;
  #turn = 0;
  #frames = undefined;
  #abort = new AbortController();
  #isEnded = false;

  /// `options` is `{ withSound }`.
  constructor(video, camera, options = {}) {
    super();
    this.video = video;
    this.camera = camera;
    this.options = options;
    this.#segments = new Segments(camera, options.session);
    this.state = 'waiting';
    this.#timer = setInterval(() => this.#work(), TURN);
    video.addEventListener('seeked', this.#settled);
    video.addEventListener('error', this.#broken);
  }

  #settled = () => {
    if (!this.#hole && this.state === 'waiting' && this.video.readyState >= 2) this.#tell(this.#isPlaying ? 'playing' : 'paused');
  };

  #broken = () => {
    if (!this.#isEnded && this.video.error) this.#tell('failed', { error: new Error(this.video.error.message || 'the browser cannot play this') });
  };

  #tell(state, detail = {}) {
    if (state === this.state && !detail.error && state !== 'hole') return;
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: { state, ...detail } }));
  }

  end() {
    this.#isEnded = true;
    this.#abort.abort();
    clearInterval(this.#timer);
    this.video.removeEventListener('seeked', this.#settled);
    this.video.removeEventListener('error', this.#broken);
    this.video.pause();
  }

  get isPlaying() {
    return this.#isPlaying;
  }

  /// Whether there is sound at all.
  get hasSound() {
    return this.#segments.hasSound;
  }

  /// The wall time that is shown.
  get time() {
    if (!this.#hole && !this.#buffers.size) return this.#sought;
    if (!this.#hole) return this.#base + this.video.currentTime * 1000;
    return this.#hole.at + (this.#isPlaying ? (performance.now() - this.#hole.since) * this.speed : 0);
  }

  /// Goes to a moment and shows its frame.
  async seek(at) {
    const turn = (this.#turn += 1);
    this.#hole = undefined;
    this.#sought = at;
    this.#tell('waiting');
    try {
      const segment = await this.#segments.next(at, 'video');
      if (turn !== this.#turn || this.#isEnded) return;
      if (!segment || segment.from > at + 250) {
        if (segment && this.skipsHoles) return await this.seek(segment.from + 10);
        this.#enterHole(at, segment?.from);
        return;
      }
      const inside = Math.max(at, segment.from + 10);
      if (!this.#buffers.size || inside < this.#base || inside > this.#base + 48 * HOUR) await this.#open(inside, segment);
      if (turn !== this.#turn || this.#isEnded) return;
      this.video.currentTime = (inside - this.#base) / 1000;
      this.#applySpeed();
      if (this.#isPlaying) this.video.play().catch(() => {});
      await this.#work();
    } catch (error) {
      if (turn === this.#turn && error.name !== 'AbortError' && !this.#isEnded) this.#tell(error.codec ? 'codec' : 'failed', { error, codec: error.codec });
    }
  }

  async #open(at, segment) {
    const header = await headerOf(segment, this.#abort.signal);
    const codec = codecOf(header) ?? this.#segments.codecs.video ?? 'avc1.42c01e';
    if (!plays('video', codec)) throw Object.assign(new Error(codec), { codec });
    const sound = this.#segments.codecs.audio;
    const source = await openSource(this.video);
    if (this.#isEnded) return;
    // Half a day before it can be reached without another source; the media's time is never negative.
    this.#base = Math.floor(at - 12 * HOUR);
    this.#appended = new Map();
    this.#buffers = new Map([['video', new Buffer(source, 'video', codec, this.video)]]);
    if (this.options.withSound && sound && plays('audio', sound)) this.#buffers.set('audio', new Buffer(source, 'audio', sound, this.video));
    source.duration = 60 * 3600;
  }

  /// Shows the frame that follows (1) or precedes (-1) the one of `now`, a time of the media.
  async step(now, direction) {
    if (this.#hole) return direction > 0 ? this.skipHole() : undefined;
    if (!this.#buffers.size) return undefined;
    const turn = this.#turn;
    this.#frames ??= import('./frames.js').then(({ Frames }) => new Frames(this.#segments));
    const at = await (await this.#frames).beside(this.#base + now * 1000, direction, this.#abort.signal);
    if (turn !== this.#turn || this.#isEnded) return undefined;
    await this.seek(at);
    if (!this.video.seeking) return undefined;
    return new Promise((done) => {
      this.video.addEventListener('seeked', done, { once: true });
      setTimeout(done, 1000);
    });
  }

  play() {
    this.#holdHole();
    this.#isPlaying = true;
    if (!this.#hole) this.video.play().catch(() => {});
    this.#tellHoleOr(this.video.readyState >= 3 ? 'playing' : 'waiting');
  }

  pause() {
    this.#holdHole();
    this.#isPlaying = false;
    this.video.pause();
    this.#tellHoleOr('paused');
  }

  /// Sets the speed, 0.25 to 16.
  setSpeed(speed) {
    this.#holdHole();
    this.speed = speed;
    this.#applySpeed();
  }

  #applySpeed() {
    this.video.playbackRate = this.speed;
    this.video.preservesPitch = this.speed <= 4;
  }

  #enterHole(at, next) {
    this.#hole = { at, since: performance.now(), next };
    this.video.pause();
    this.#tellHoleOr();
  }

  #holdHole() {
    if (this.#hole) this.#hole = { ...this.#hole, at: this.time, since: performance.now() };
  }

  #tellHoleOr(state) {
    const { at, next } = this.#hole ?? {};
    this.#tell(!at ? state : !next && at > Date.now() - LATE ? 'waiting' : 'hole', this.#hole);
  }

  /// Goes on where the next media begins.
  async skipHole() {
    if (this.#hole?.next) await this.seek(this.#hole.next + 10);
  }

  async #work() {
    if (this.#isEnded || this.state === 'failed' || this.state === 'codec') return;
    if (this.#hole) return this.#workInHole();
    if (!this.#buffers.size) return;
    this.#lookForHole();
    if (this.#isFilling) return;
    this.#isFilling = true;
    try {
      for (const kind of this.#buffers.keys()) await this.#fill(kind);
      for (const buffer of this.#buffers.values()) await buffer.trim(KEPT);
    } catch (error) {
      if (error.name !== 'AbortError' && !this.#isEnded) this.#tell(error.codec ? 'codec' : 'failed', { error, codec: error.codec });
    } finally {
      this.#isFilling = false;
    }
    if (this.state === 'waiting' && this.video.readyState >= 3 && !this.video.seeking) this.#settled();
  }

  async #workInHole() {
    const { next } = this.#hole;
    if (next && this.time >= next) return this.seek(next + 10);
    if (!next && performance.now() - this.#asked > ASK_EACH) {
      this.#asked = performance.now();
      const turn = this.#turn, segment = await this.#segments.next(this.time, 'video').catch(() => undefined);
      if (turn !== this.#turn || !this.#hole) return undefined;
      if (segment?.from <= this.time) return this.seek(this.time);
      if (segment) this.#hole.next = segment.from;
      if (segment || this.state === 'waiting') this.#tellHoleOr();
    }
    if (this.time >= Date.now() - 1000) this.dispatchEvent(new Event('live'));
    return undefined;
  }

  // At the end of what is buffered there is more to come, a hole, or now.
  #lookForHole() {
    if (this.video.seeking || this.video.readyState === 0) return;
    const now = this.video.currentTime;
    const { buffered } = this.#buffers.get('video');
    const range = buffered.find(([from, to]) => from <= now + CLOSE && now < to);
    if (range && range[1] - now > CLOSE) return;
    // Clips that follow each other may lie some milliseconds apart.
    const near = buffered.find(([from]) => from > now && from - now < SEAM);
    if (near) {
      this.video.currentTime = near[0] + 0.002;
      return;
    }
    const at = this.time, turn = this.#turn;
    // Past the end of what is shown, wherever within `CLOSE` of it the browser stands still.
    this.#segments.next(at + CLOSE * 1000 + 20, 'video').then((segment) => {
      if (turn !== this.#turn || this.#hole || this.#isEnded) return;
      if (segment && segment.from <= at + 250) return;
      if (at > Date.now() - 6000) this.dispatchEvent(new Event('live'));
      else if (segment && this.skipsHoles) this.seek(segment.from + 10);
      else if (this.#isPlaying || !range) this.#enterHole(at, segment?.from);
    }).catch(() => {});
  }

  async #fill(kind) {
    const buffer = this.#buffers.get(kind), turn = this.#turn;
    let at = this.time;
    const until = at + AHEAD * 1000 * Math.max(1, this.speed);
    for (let count = 0; count < 40 && at < until && turn === this.#turn && !this.#hole; count += 1) {
      const segment = await this.#segments.next(at, kind);
      if (!segment || segment.from > until || (kind === 'video' && segment.from > at + 250)) return;
      if (!this.#holds(buffer, segment)) await this.#append(buffer, segment);
      at = segment.to;
    }
  }

  #holds(buffer, segment) {
    const middle = ((segment.from + segment.to) / 2 - this.#base) / 1000;
    return this.#appended.get(`${buffer.kind}${segmentKey(segment)}`) && buffer.buffered.some(([from, to]) => from <= middle && middle <= to);
  }

  async #append(buffer, segment) {
    const { signal } = this.#abort;
    const [header, media] = await Promise.all([headerOf(segment, signal), bytesOf(segment, signal)]);
    const first = firstTime(media), scale = timescale(header);
    if (first === undefined || !scale) return;
    const codec = codecOf(header);
    if (codec && !plays(buffer.kind, codec)) throw Object.assign(new Error(codec), { codec });
    const offset = (segment.from - this.#base) / 1000 - first / scale;
    if (codec) await buffer.change(codec);
    if (buffer.header !== header) await buffer.append(header);
    buffer.header = header;
    await buffer.append(media, offset);
    this.#appended.set(`${buffer.kind}${segmentKey(segment)}`, true);
    if (this.#isPlaying && this.video.paused && !this.#hole) this.video.play().catch(() => {});
  }
}
