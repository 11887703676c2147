// What the page knows of the site: who looks, the cameras with their states, the storage. One place asks, all views listen.
import { paced } from './dom.js';
import { connection, read } from './requests.js';
import { setZone } from './time.js';
import { language } from './words.js';

const RIGHTS = ['view', 'operate', 'administer'];
const EVERY = 3000;

class Site extends EventTarget {
  me = undefined;
  cameras = [];
  states = new Map();
  status = undefined;
  #timer = 0;
  #stream = undefined;

  /// Reads who looks, cameras, states and status; throws the first `Refusal`.
  async begin() {
    this.me = await read('/v1/me', { quiet: true });
    await this.refreshStatus();
    await this.refreshCameras();
    await this.refreshStates();
    this.#follow();
    this.#schedule();
  }

  /// Ends all asking.
  end() {
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#stream = undefined;
    this.me = undefined;
  }

  /// Whether who looks has a right.
  may(right) {
    return RIGHTS.indexOf(this.me?.right) >= RIGHTS.indexOf(right);
  }

  /// A camera's state; nothing where there is no such camera.
  state(camera) {
    return this.states.get(camera);
  }

  /// The setting `viewport`.
  viewport(camera) {
    return this.state(camera)?.settings?.viewport ?? '0,0,1,1';
  }

  /// What is shown of a camera's picture.
  part(camera, { x = 0, y = 0, width, height }) {
    const [x1, y1, x2, y2] = this.viewport(camera).split(',').map(Number);
    return { x: x + x1 * width, y: y + y1 * height, width: (x2 - x1) * width, height: (y2 - y1) * height };
  }

  /// Does something once a camera is cut, until `signal`.
  onceCut(camera, signal, then) {
    const look = () => {
      if (!this.state(camera)?.settings?.viewport) return;
      this.removeEventListener('states', look);
      then();
    };
    this.addEventListener('states', look, { signal });
    look();
  }

  /// The smallest stream that a camera has.
  smallStream(camera) {
    return this.cameras.find((one) => one.camera === camera)?.sub ? 'sub' : 'main';
  }

  async refreshStatus() {
    this.status = await read('/v1/status');
    setZone(this.status.timeZone ?? 'UTC', language);
    this.#tell('status');
  }

  async refreshCameras() {
    this.cameras = await read('/v1/cameras');
    this.#tell('cameras');
  }

  async refreshStates() {
    this.take(await read('/v1/states'));
  }

  /// Takes states that an answer told.
  take(states) {
    const known = new Set(this.states.keys());
    for (const state of states) this.states.set(state.camera, state);
    if (states.length > 1) {
      const told = new Set(states.map((state) => state.camera));
      for (const name of known) if (!told.has(name)) this.states.delete(name);
    }
    const isOther = states.some((state) => !known.has(state.camera)) || this.states.size !== known.size;
    if (isOther && known.size) this.refreshCameras().catch(() => {});
    this.#tell('states');
  }

  #tell(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  // What happens is told at once where the daemon has the stream of it; the states are asked for all the same.
  #follow() {
    if (this.#stream || !('EventSource' in window)) return;
    this.#stream = new EventSource('/v1/journal?priority=notice');
    this.#stream.onmessage = (message) => this.#happened(message);
    this.#stream.onerror = () => {
      if (this.#stream?.readyState === EventSource.CLOSED) this.#stream = undefined;
    };
  }

  #happened(message) {
    let told;
    try {
      told = JSON.parse(message.data);
    } catch {
      return;
    }
    this.#tell('happened', told);
    this.#soon();
  }

  // Much may happen at once; the states are asked for once a second then.
  #soon = paced(1000, () => {
    clearTimeout(this.#timer);
    this.#again();
  });

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#again(), document.hidden ? 5 * EVERY : EVERY);
  }

  async #again() {
    if (!this.me) return;
    try {
      await this.refreshStates();
      if (!this.status || Date.now() - (this.status.asked ?? 0) > 30_000) {
        await this.refreshStatus();
        this.status.asked = Date.now();
      }
    } catch {
      // The shell says that nobody answers; the next turn asks again.
    }
    this.#schedule();
  }
}

/// The site.
export const site = new Site();

connection.addEventListener('login', () => site.end());
