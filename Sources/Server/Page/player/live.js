// A camera's live picture: fragments over a WebSocket into MSE. It stays near the edge by what is buffered, not by a clock.
import { ofCamera, query } from '../app/requests.js';
import { firstTime, timescale } from './boxes.js';
import { Buffer, openSource, plays } from './buffer.js';

// Seconds of media that are left just before the next picture comes: the least and the most that is aimed at. It jumps where it is
// late by FAR, and at first, when what was kept of the group comes at once, by NEAR.
const NEAREST = 0.13, FURTHEST = 1, NEAR = 0.2, FAR = 1.5, BEGINNING_MS = 1500, KEPT = 8;
// What ends by itself: a slow viewer may begin anew, a daemon that stops comes back, and so does a camera without a link.
const PASSING = ['slow', 'draining', 'expired', 'unreachable', 'timeout', 'lost', 'busy', 'unavailable'];
const WAITS = [1000, 2000, 4000, 8000, 15000];

export class LivePlayer extends EventTarget {
  #socket = undefined;
  #buffers = new Map();
  #anchor = undefined;
  #scale = new Map();
  #failures = 0;
  #timer = 0;
  #keeper = 0;
  #isEnded = false;
  #generation = 0;
  // What is aimed at: more after each time that the media ran out, less again while it does not.
  #aim = NEAREST;
  #left = [];
  #begun = 0;

  /// `options` is `{ stream: 'main' | 'sub', withSound }`.
  constructor(video, camera, options = {}) {
    super();
    this.video = video;
    this.camera = camera;
    this.options = options;
    this.state = 'waiting';
  }

  #tell(state, detail = {}) {
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: { state, ...detail } }));
  }

  start() {
    this.#keeper = setInterval(() => this.#keepNear(), 100);
    this.video.addEventListener('waiting', this.#ranOut);
    this.#connect();
  }

  /// Ends it. The last picture stays until another source takes the video.
  end() {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    clearInterval(this.#keeper);
    this.video.removeEventListener('waiting', this.#ranOut);
    this.#socket?.close();
    this.#socket = undefined;
    this.video.playbackRate = 1;
  }

  /// The wall time of the frame on the screen; nothing before the first.
  get time() {
    return this.#anchor === undefined || !this.video.readyState ? undefined : this.#anchor + this.video.currentTime * 1000;
  }

  #connect() {
    const { stream, withSound } = this.options;
    const address = new URL(ofCamera(this.camera, `live${query({ stream, sound: withSound ? 'stored' : 'none', cut: 'frame' })}`), location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#tell('waiting');
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    let work = Promise.resolve();
    socket.onmessage = ({ data }) => {
      work = work.then(() => (this.#socket === socket && !this.#isEnded ? this.#take(data) : undefined)).catch((error) => this.#fail(socket, error));
    };
    socket.onclose = () => this.#closed(socket);
  }

  #fail(socket, error) {
    console.warn(`live of ${this.camera}:`, error);
    socket.close();
  }

  #closed(socket) {
    if (this.#socket !== socket || this.#isEnded) return;
    this.#socket = undefined;
    if (this.state === 'codec' || this.state === 'ended') return;
    const wait = WAITS[Math.min(this.#failures, WAITS.length - 1)];
    this.#failures += 1;
    if (this.state !== 'lost') this.#tell('silent');
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  async #take(data) {
    if (typeof data === 'string') return this.#hear(JSON.parse(data));
    const bytes = new Uint8Array(data);
    if (bytes.length < 11) return;
    const track = bytes[1], buffer = this.#buffers.get(track), media = bytes.subarray(10);
    if (!buffer) return;
    if (bytes[0] === 1) {
      this.#scale.set(track, timescale(media) ?? this.#scale.get(track));
      await buffer.append(media);
      return;
    }
    await buffer.append(media);
    if (buffer.kind === 'video') this.#place(track, media, new DataView(data).getBigUint64(2));
    if (this.state !== 'playing' && buffer.kind === 'video') this.#began();
  }

  // The wall time of the media's zero follows from each fragment's own time.
  #place(track, media, wall) {
    const first = firstTime(media), scale = this.#scale.get(track);
    if (first !== undefined && scale && wall > 0n) this.#anchor = Number(wall) - (first / scale) * 1000;
  }

  #began() {
    this.#failures = 0;
    this.#begun = performance.now();
    const [, end] = this.#edge();
    if (end === undefined) return;
    this.video.currentTime = Math.max(this.#edge()[0], end - this.#aim);
    this.video.play().catch(() => {});
    this.#tell('playing');
  }

  async #hear(message) {
    if (message.ended && !PASSING.includes(message.ended)) {
      this.#tell('ended', { why: message.ended, error: message.error });
      this.#socket?.close();
    } else if (message.lost) this.#tell('lost');
    else if (message.tracks) await this.#begin(message.tracks);
  }

  // A hello: other tracks, or the same anew. Both buffers must be there before anything is appended.
  async #begin(tracks) {
    const turn = (this.#generation += 1);
    const wanted = tracks.map((track, index) => ({ ...track, index: track.track ?? track.number ?? index }))
      .filter((track) => track.kind === 'video' || (track.kind === 'audio' && this.options.withSound && plays('audio', track.codec)));
    const video = wanted.find((track) => track.kind === 'video');
    if (!video) {
      this.#tell('ended', { why: 'noVideo' });
      return;
    }
    if (!plays('video', video.codec)) {
      this.#tell('codec', { codec: video.codec });
      this.#socket?.close();
      return;
    }
    this.size = { width: video.width, height: video.height };
    this.hasSound = wanted.length > 1;
    const source = await openSource(this.video);
    if (turn !== this.#generation || this.#isEnded) return;
    this.#buffers = new Map(wanted.map((track) => [track.index, new Buffer(source, track.kind, track.codec, this.video)]));
    this.#scale = new Map(wanted.map((track) => [track.index, track.timescale]));
    this.#anchor = undefined;
    this.#tell('opening');
  }

  #edge() {
    const last = this.video.buffered.length - 1;
    return last < 0 ? [] : [this.video.buffered.start(last), this.video.buffered.end(last)];
  }

  #ranOut = () => {
    if (this.state === 'playing') this.#aim = Math.min(FURTHEST, this.#aim + 0.05);
  };

  #keepNear() {
    const [begin, end] = this.#edge();
    if (end === undefined || this.state !== 'playing') return;
    this.#left = [...this.#left.slice(-5), end - this.video.currentTime];
    const late = Math.min(...this.#left) - this.#aim;
    this.#aim = Math.max(NEAREST, this.#aim - 0.0005);
    const far = performance.now() - this.#begun < BEGINNING_MS ? NEAR : FAR;
    if (late > far || this.video.currentTime < begin) {
      this.video.currentTime = Math.max(begin, end - this.#aim);
      this.#left = [];
    }
    // A tenth is hardly heard; more ends a long delay soon.
    this.video.playbackRate = late > 0.2 ? 1.5 : late > 0.12 ? 1.25 : late > 0.03 ? 1.1 : 1;
    if (this.video.paused && !document.hidden) this.video.play().catch(() => {});
    for (const buffer of this.#buffers.values()) buffer.trim(KEPT).catch(() => {});
  }
}
