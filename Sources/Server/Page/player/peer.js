// A camera's live picture by WebRTC: no buffer, so it is some tenths of a second sooner than fragments. Whether it comes depends on the
// network and on how the camera codes, so it is opened beside what is shown, and shown when its first picture is there.
import { ofCamera, send } from '../app/requests.js';
import { site } from '../app/site.js';

// How long the first picture may take, and for how long none may come then, in milliseconds; longer where the daemon may show the
// sub-stream instead, which takes it some seconds of a bad network.
const FIRST = 6000, SILENT = 3000, MOVING = 15_000;
// How long it rests after it was gone or did not come, each time twice as long, and where the camera codes what cannot be sent so.
const REST = 15_000, REST_MOST = 300_000, UNFIT = 600_000;

/// Opens it beside what a screen shows, with rests, until its pictures come.
export class PeerTries {
  #candidate = undefined;
  #after = 0;
  #rest = REST;

  constructor(screen) {
    this.screen = screen;
  }

  /// The player when its first picture is there, `withSound` or not; nothing when `isWanted` does not hold any more.
  async open(withSound, isWanted) {
    while (isWanted() && !this.#candidate) {
      const rest = this.#after - Date.now();
      if (rest > 0) {
        await new Promise((done) => setTimeout(done, rest));
        continue;
      }
      const { video, camera, stream } = this.screen, peer = new PeerPlayer(video, camera, stream, withSound);
      this.#candidate = peer;
      const comes = await peer.open().catch(({ status }) => status);
      if (peer !== this.#candidate) return undefined;
      this.#candidate = undefined;
      if (comes === true && isWanted()) return peer;
      peer.end();
      if (comes === 422) this.#after = Date.now() + UNFIT;
      else this.rest();
    }
    return undefined;
  }

  /// Nothing is opened any more.
  drop() {
    this.#candidate?.end();
    this.#candidate = undefined;
  }

  /// Rests before the next one, each time twice as long.
  rest() {
    this.#after = Date.now() + this.#rest;
    this.#rest = Math.min(REST_MOST, 2 * this.#rest);
  }
}

export class PeerPlayer extends EventTarget {
  state = 'waiting';
  #peer = new RTCPeerConnection();
  #probe = document.createElement('video');
  #session = undefined;
  #timers = [];
  #wall = undefined;
  #ahead = 0;
  #heard = 0;
  #isEnded = false;
  #ended = undefined;
  #microphone = undefined;
  #talk = undefined;

  /// `stream` is `main` or `sub`; nothing: whichever the network carries.
  constructor(video, camera, stream, withSound) {
    super();
    Object.assign(this, { video, camera, stream, withSound });
    Object.assign(this.#probe, { muted: true, playsInline: true });
  }

  /// Whether pictures come; a refusal is thrown. Nothing is shown yet.
  open() {
    const end = new Promise((done) => (this.#ended = () => done(false)));
    this.#timers.push(setTimeout(this.#ended, FIRST));
    return Promise.race([this.#open(), end]);
  }

  async #open() {
    const peer = this.#peer, media = new MediaStream();
    peer.ontrack = ({ track }) => media.addTrack(track);
    peer.addTransceiver('video', { direction: 'recvonly' });
    if (this.withSound) peer.addTransceiver('audio', { direction: 'recvonly' });
    // Nothing goes over it until somebody talks.
    if (site.may('operate')) this.#microphone = peer.addTransceiver('audio', { direction: 'sendonly' }).sender;
    await peer.setLocalDescription();
    const offer = peer.localDescription.sdp;
    const told = await send('POST', ofCamera(this.camera, 'webrtc'), { offer, stream: this.stream }, { quiet: true });
    this.#session = `/v1/sessions/${told.session}`;
    if (this.#isEnded) return this.#leave().then(() => false);
    this.#timers.push(setInterval(() => this.#extend(), Math.max(1000, (told.durationMs ?? 60_000) / 2)));
    // Fragments have sound that cannot be sent so.
    if (this.withSound && !told.sound) throw Object.assign(new Error('no sound'), { status: 422 });
    await peer.setRemoteDescription({ type: 'answer', sdp: told.answer });
    if (!told.talk) this.#microphone = undefined;
    this.#probe.srcObject = media;
    const first = new Promise((done) => this.#probe.requestVideoFrameCallback(() => done(!this.#isEnded)));
    await this.#probe.play();
    return first;
  }

  /// Shows the pictures, and tells `gone` when none come any more. `shown` is the wall time of what is shown so far, as the daemon
  /// tells it: WebRTC tells when a picture came by this machine's clock, which may be another.
  start(shown = Date.now()) {
    const { video } = this, ahead = shown - Date.now();
    this.#ahead = Math.abs(ahead) < 2000 ? 0 : ahead;
    video.removeAttribute('src');
    video.srcObject = this.#probe.srcObject;
    this.#probe.pause();
    video.play().catch(() => {});
    this.#heard = performance.now();
    video.requestVideoFrameCallback((now, frame) => this.#shown(now, frame));
    this.#timers.push(setInterval(() => this.#watch(), 250));
    if (this.#microphone) this.#offerTalk();
    this.#peer.onconnectionstatechange = () => {
      if (['disconnected', 'failed', 'closed'].includes(this.#peer.connectionState)) this.#tell('gone');
    };
  }

  /// Ends it; what it gives comes when its session is over.
  end() {
    if (this.#isEnded) return Promise.resolve();
    this.#isEnded = true;
    this.#ended?.();
    this.#talk?.end();
    // One list of numbers for both kinds of timers, by the standard.
    for (const timer of this.#timers) clearTimeout(timer);
    if (this.#probe.srcObject && this.video.srcObject === this.#probe.srcObject) this.video.srcObject = null;
    this.#probe.srcObject = null;
    this.#peer.close();
    return this.#leave();
  }

  /// The wall time of the frame on the screen; nothing before the first.
  get time() {
    return this.#wall;
  }

  // The camera has a loudspeaker: a button to speak through it stands on the picture while WebRTC brings it.
  async #offerTalk() {
    const { Talk } = await import('./talk.js');
    const talk = await Talk.load(this.camera, this.#session, this.#microphone);
    if (this.#isEnded) return;
    this.#talk = talk;
    this.video.parentElement.append(talk.element);
  }

  // A picture that is held, by a hand on the timeline or by the browser, is no silence.
  #watch() {
    if (document.hidden || this.video.paused) this.#heard = performance.now();
    if (!document.hidden && this.video.paused) this.video.play().catch(() => {});
    if (performance.now() - this.#heard > this.#patience) this.#tell('gone');
  }

  // The daemon moves nobody who has named a stream, and only where the camera has two.
  get #patience() {
    return !this.stream && site.smallStream(this.camera) === 'sub' ? MOVING : SILENT;
  }

  #shown(now, { captureTime, receiveTime }) {
    if (this.#isEnded) return;
    this.#heard = performance.now();
    this.#wall = Date.now() - (this.#heard - (captureTime ?? receiveTime ?? now)) + this.#ahead;
    if (this.state !== 'playing') this.#tell('playing');
    this.video.requestVideoFrameCallback((...next) => this.#shown(...next));
  }

  #tell(state) {
    if (this.#isEnded) return;
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: { state } }));
  }

  #extend() {
    send('POST', `${this.#session}/extend`, undefined, { quiet: true }).catch(() => this.#tell('gone'));
  }

  #leave() {
    const session = this.#session;
    this.#session = undefined;
    return session ? send('DELETE', session, undefined, { quiet: true }).catch(() => {}) : Promise.resolve();
  }
}
