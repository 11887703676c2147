// A camera's live picture by WebRTC: no buffer, so it is some tenths of a second sooner than fragments. Whether it comes depends on the
// network and on how the camera codes, so it is opened beside what is shown, and shown when its first picture is there.
import { ofCamera, send } from '../app/requests.js';

// How long the first picture may take, and for how long none may come then, in milliseconds.
const FIRST = 6000, SILENT = 3000;

export class PeerPlayer extends EventTarget {
  state = 'waiting';
  #peer = new RTCPeerConnection();
  #probe = document.createElement('video');
  #session = undefined;
  #timer = 0;
  #wall = undefined;
  #ahead = 0;
  #heard = 0;
  #isEnded = false;

  /// `stream` is `main` or `sub`.
  constructor(video, camera, stream) {
    super();
    Object.assign(this, { video, camera, stream });
  }

  /// Whether pictures come. Nothing is shown yet.
  async open() {
    const peer = this.#peer;
    const arrived = new Promise((done) => {
      peer.ontrack = ({ track }) => done(new MediaStream([track]));
    });
    peer.addTransceiver('video', { direction: 'recvonly' });
    await peer.setLocalDescription();
    const offer = peer.localDescription.sdp;
    const told = await send('POST', ofCamera(this.camera, 'webrtc'), { offer, stream: this.stream }, { quiet: true });
    this.#session = `/v1/sessions/${told.session}`;
    if (this.#isEnded) {
      this.#leave();
      return false;
    }
    this.#timer = setInterval(() => this.#extend(), told.durationMs / 2);
    await peer.setRemoteDescription({ type: 'answer', sdp: told.answer });
    this.#probe.muted = true;
    this.#probe.srcObject = await arrived;
    return new Promise((done) => {
      setTimeout(() => done(false), FIRST);
      this.#probe.requestVideoFrameCallback(() => done(!this.#isEnded));
      this.#probe.play().catch(() => done(false));
    });
  }

  /// Shows the pictures, and tells `gone` when none come any more. `shown` is the wall time of what is shown so far, as the daemon
  /// tells it: WebRTC tells when a picture came by this machine's clock, which may be another.
  start(shown = Date.now()) {
    const { video } = this, ahead = shown - Date.now();
    this.#ahead = Math.abs(ahead) < 2000 ? 0 : ahead;
    video.removeAttribute('src');
    video.srcObject = this.#probe.srcObject;
    video.play().catch(() => {});
    this.#heard = performance.now();
    video.requestVideoFrameCallback((now, frame) => this.#shown(now, frame));
    const watch = setInterval(() => {
      if (this.#isEnded) clearInterval(watch);
      else if (!document.hidden && performance.now() - this.#heard > SILENT) this.#tell('gone');
    }, 250);
    this.#peer.onconnectionstatechange = () => {
      if (['disconnected', 'failed', 'closed'].includes(this.#peer.connectionState)) this.#tell('gone');
    };
  }

  end() {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#timer);
    if (this.#probe.srcObject && this.video.srcObject === this.#probe.srcObject) this.video.srcObject = null;
    this.#probe.srcObject = null;
    this.#peer.close();
    this.#leave();
  }

  /// The wall time of the frame on the screen; nothing before the first.
  get time() {
    return this.#wall;
  }

  #shown(now, { captureTime, receiveTime }) {
    if (this.#isEnded) return;
    this.#wall = performance.timeOrigin + (captureTime ?? receiveTime ?? now) + this.#ahead;
    this.#heard = performance.now();
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
    if (this.#session) send('DELETE', this.#session, undefined, { quiet: true }).catch(() => {});
  }
}
