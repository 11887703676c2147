// The picture of one camera: live or past in one element, with what is to be said instead of a picture. It is told where to go;
// it tells the time of what it shows.
import { fill, h, icon } from '../app/dom.js';
import { site } from '../app/site.js';
import { stamp } from '../app/time.js';
import { t } from '../app/words.js';
import { LivePlayer } from './live.js';
import { RecordedPlayer } from './recorded.js';
import { Stills } from './stills.js';
import { Strips } from './strips.js';
import { veilWords } from './veil.js';

export class Screen extends EventTarget {
  isMuted = true;
  speed = 1;
  skipsHoles = false;
  /// Whether it plays on once it shows what is wanted.
  playsOn = true;
  #player = undefined;
  #mode = undefined;
  #wanted = undefined;
  #timer = 0;
  #says = 0;
  #shown = undefined;
  #isStepping = false;
  #peers = undefined;
  #ending = new AbortController();

  /// `isAlone`: no other screen is kept in step with it.
  constructor(camera, record, isAlone) {
    super();
    Object.assign(this, { camera, record, isAlone });
    this.video = h('video', { playsinline: true, muted: true, 'aria-label': t('screen.label', { camera }) });
    this.video.muted = true;
    this.still = h('canvas.still', { hidden: true, 'aria-hidden': 'true' });
    this.veil = h('div.veil', { hidden: true });
    this.stamp = h('div.screen-stamp');
    this.element = h('div.screen', {}, this.video, this.still, this.veil, this.stamp);
    site.onceCut(camera, this.#ending.signal, async () => (await import('./viewport.js')).cut(this.video, camera, this.#ending.signal));
    this.strips = new Strips(camera);
    this.stills = new Stills(this.strips, this.still);
    this.#timer = setInterval(() => this.#tick(), 100);
    if ('requestVideoFrameCallback' in this.video) this.#measure();
  }

  end() {
    this.#ending.abort();
    clearInterval(this.#timer);
    clearTimeout(this.#says);
    this.#peers?.drop();
    this.#player?.end();
    this.#player = this.#mode = undefined;
    this.stills.end();
    this.video.removeAttribute('src');
    this.video.load();
  }

  get isLive() {
    return this.#mode === 'live';
  }

  get isPlaying() {
    return this.isLive || Boolean(this.#player?.isPlaying);
  }

  get state() {
    return this.#player?.state;
  }

  /// The wall time of what is shown.
  get time() {
    if (this.#wanted !== undefined) return this.#wanted;
    return this.isLive ? this.#player.time ?? Date.now() : this.#player?.time;
  }

  // Which frame is shown: where playing stops, the time of the media may be a little ahead of it, in firefox behind it too.
  #measure() {
    this.video.addEventListener('seeking', () => (this.#shown = NaN));
    const turn = (_, { mediaTime }) => {
      const isFirst = this.#shown === undefined;
      this.#shown = mediaTime;
      if (this.video.isConnected || isFirst) this.video.requestVideoFrameCallback(turn);
    };
    this.video.requestVideoFrameCallback(turn);
  }

  goLive() {
    this.#wanted = undefined;
    this.#hideStill();
    if (!this.isLive || ['ended', 'codec', 'gone'].includes(this.state)) this.#begin();
  }

  #begin() {
    this.#take('live', new LivePlayer(this.video, this.camera, { stream: this.stream ?? 'main', withSound: !this.isMuted }));
    this.#player.start();
  }

  // Fragments are there at once; where WebRTC brings the picture, it takes their place.
  async #quicken(fragments) {
    if (!this.isAlone || !globalThis.RTCPeerConnection || !this.video.requestVideoFrameCallback) return;
    const { PeerTries } = await import('./peer.js');
    this.#peers ??= new PeerTries(this);
    const peer = await this.#peers.open(fragments.hasSound, () => fragments === this.#player);
    if (!peer) return;
    const shown = fragments.time;
    this.#take('live', peer);
    peer.start(shown);
  }

  /// Goes to a moment of the past and plays on, or stays there.
  async goTo(at, isPlaying = true) {
    if (this.#mode !== 'past') this.#takePast();
    const player = this.#player;
    this.#wanted = at;
    this.playsOn = isPlaying;
    player.setSpeed(this.speed);
    player.skipsHoles = this.skipsHoles;
    if (isPlaying !== player.isPlaying) {
      if (isPlaying) player.play();
      else player.pause();
    }
    await player.seek(at);
    if (player === this.#player && this.#wanted === at) this.#wanted = undefined;
    this.#say();
  }

  #takePast() {
    const player = new RecordedPlayer(this.video, this.camera, { withSound: !this.isMuted });
    player.addEventListener('live', () => this.dispatchEvent(new Event('caughtUp')));
    this.#take('past', player);
  }

  // What was shown stays, where the video does not keep it, until the next picture is there or something else is to be said.
  #leave() {
    this.#peers?.drop();
    if (this.#mode === 'live') this.stills.cover(this.video);
    return this.#player?.end();
  }

  #take(mode, player) {
    this.#leave();
    this.#mode = mode;
    this.#player = player;
    player.addEventListener('state', ({ detail }) => {
      if (player !== this.#player) return;
      if (detail.state === 'gone') {
        this.#peers?.rest();
        return void this.again();
      }
      if (detail.state === 'playing' && player instanceof LivePlayer) this.#quicken(player);
      if (['playing', 'paused'].includes(detail.state)) this.#hideStill();
      this.detail = detail;
      this.#say();
      this.dispatchEvent(new Event('state'));
    });
    this.detail = { state: player.state };
    this.#say();
  }

  /// Shows the picture under the finger.
  scrub(at) {
    if (this.#wanted === undefined) this.playsOn = this.isPlaying;
    this.#wanted = at;
    this.video.pause();
    this.stills.show(at);
    this.#say();
  }

  /// Begins anew where privacy had ended the live picture and is off now.
  notice() {
    const { hard, softLive } = site.state(this.camera)?.privacy ?? {};
    if (this.isLive && this.state === 'ended' && this.detail.why === 'privacy' && !hard && !softLive) this.goLive();
    else if (this.isLive && this.state !== 'playing') this.#say();
  }

  /// Asks again for what nobody answered.
  retry() {
    if (this.state === 'failed' && this.detail.error?.isSilence) this.again();
  }

  /// Whether a hand holds it.
  get isScrubbed() {
    return this.#wanted !== undefined;
  }

  /// Lets the live stream go while nobody sees it; the past is only paused.
  rest() {
    this.#peers?.drop();
    if (this.isLive) {
      this.#player.end();
      this.#player = this.#mode = undefined;
    } else this.#player?.pause();
  }

  #hideStill() {
    this.stills.rest();
    // What was under the finger stays until the exact frame is there.
    if (this.video.readyState >= 2) this.still.hidden = true;
    else this.video.addEventListener('loadeddata', () => (this.still.hidden = true), { once: true });
  }

  play() {
    if (this.isLive) return;
    this.playsOn = true;
    this.#player?.play();
  }

  /// Stops at what is shown; of a live picture at its moment.
  pause() {
    if (this.isLive) return void this.goTo(Math.min(this.time, Date.now() - 2500), false);
    this.playsOn = false;
    this.#player?.pause();
  }

  setSpeed(speed) {
    this.speed = speed;
    if (!this.isLive) this.#player?.setSpeed(speed);
  }

  setSkipping(isSkipping) {
    this.skipsHoles = isSkipping;
    if (this.#player instanceof RecordedPlayer) {
      this.#player.skipsHoles = isSkipping;
      if (isSkipping && this.state === 'hole') this.#player.skipHole();
    }
  }

  /// One frame on or back.
  async step(direction) {
    if (this.isLive) return void this.pause();
    if (this.#isStepping || !this.#player) return;
    this.#isStepping = true;
    this.#player.pause();
    const { currentTime } = this.video;
    await this.#player.step(Math.abs(currentTime - this.#shown) < 0.1 ? this.#shown : currentTime, direction).catch(() => {});
    this.#isStepping = false;
    this.dispatchEvent(new Event('state'));
  }

  /// Sound on or off.
  setMuted(isMuted) {
    this.isMuted = isMuted;
    this.video.muted = isMuted;
    this.#peers = this.#peers?.drop();
    if (this.#mode) this.again(this.isPlaying);
  }

  /// The picture on the screen as a JPEG; nothing where there is none.
  picture() {
    const { x, y, width, height } = site.part(this.camera, { width: this.video.videoWidth, height: this.video.videoHeight });
    if (!width) return Promise.resolve(undefined);
    const canvas = h('canvas', { width: Math.floor(width), height: Math.floor(height) });
    canvas.getContext('2d').drawImage(this.video, x, y, width, height, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.92));
  }

  #tick() {
    const at = this.time;
    if (at === undefined) return;
    this.stamp.textContent = `${this.camera} ${stamp(at)}`;
    this.dispatchEvent(new CustomEvent('time', { detail: at }));
  }

  // What stands over the picture. What is only waited for is said after 300 ms.
  #say() {
    clearTimeout(this.#says);
    const isUnderFinger = this.#wanted !== undefined && this.video.paused && !this.still.hidden;
    const words = isUnderFinger ? undefined : veilWords(this);
    if (words?.isPatient) this.#says = setTimeout(() => this.#veil(words), 300);
    else this.#veil(words);
  }

  #veil(words) {
    this.veil.hidden = !words;
    this.veil.className = `veil${words?.isLight ? ' light' : ''}`;
    this.element.classList.toggle('is-blank', Boolean(words && !words.isLight));
    if (!words) return fill(this.veil);
    return fill(this.veil, words.drawing && icon(words.drawing), h('p.veil-title', {}, words.title), words.more && h('p', {}, words.more), words.action);
  }

  /// Asks for the same once more.
  again(isPlaying = true) {
    const at = this.time, player = this.#player;
    if (!this.isLive) {
      this.#leave();
      this.#player = this.#mode = undefined;
      if (at) this.goTo(at, isPlaying);
    } else if (player instanceof LivePlayer) this.#begin();
    // The session of WebRTC first leaves its place to the next one, if the daemon answers; what comes meanwhile goes first.
    else Promise.race([this.#leave(), new Promise((late) => setTimeout(late, 1000))]).then(() => player === this.#player && this.#begin());
  }
}
