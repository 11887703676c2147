// Speaking through a camera's loudspeaker: what the microphone hears goes over the WebRTC that brings the picture.
import { fill, h } from '../app/dom.js';
import { note, tellRefusal } from '../app/notices.js';
import { send } from '../app/requests.js';
import { site } from '../app/site.js';
import { loadStyle } from '../app/theme.js';
import { loadWords, t } from '../app/words.js';

const SOUND = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };

export class Talk {
  #track = undefined;
  #isOver = false;
  #listening = new AbortController();

  /// The button for a camera whose picture is shown in `session`; `sender` takes the microphone.
  static async load(camera, session, sender) {
    await Promise.all([loadWords('talk'), loadStyle('talk')]);
    return new Talk(camera, session, sender);
  }

  constructor(camera, session, sender) {
    Object.assign(this, { camera, session, sender });
    this.element = h('button.talk', { type: 'button', onclick: () => (this.state === 'off' ? this.#begin() : this.#stop()) });
    // The camera may end it, too.
    site.addEventListener('happened', ({ detail }) => this.#happened(detail), { signal: this.#listening.signal });
    this.#show('off');
  }

  /// Ends it with the picture.
  end() {
    this.#isOver = true;
    this.#listening.abort();
    this.#stop();
    this.element.remove();
  }

  async #begin() {
    if (!navigator.mediaDevices) return note(t('talk.insecure'), { isAlarm: true });
    this.#show('waiting');
    try {
      [this.#track] = (await navigator.mediaDevices.getUserMedia({ audio: SOUND })).getAudioTracks();
    } catch ({ name }) {
      this.#show('off');
      return note(name === 'NotAllowedError' ? t('talk.refused') : t('talk.missing'), { isAlarm: true });
    }
    // It was pressed again, or the picture is gone, while the browser asked.
    if (this.#isOver || this.state !== 'waiting') return this.#hush();
    this.#track.onended = () => this.#stop();
    try {
      await this.sender.replaceTrack(this.#track);
      await send('POST', `${this.session}/talk`, { on: true }, { quiet: true });
    } catch (error) {
      this.#stop();
      return tellRefusal(error);
    }
    if (this.state === 'waiting') this.#show('on');
    return undefined;
  }

  #stop() {
    const { state } = this;
    this.#show('off');
    this.#hush();
    if (state !== 'off' && !this.#isOver) send('POST', `${this.session}/talk`, { on: false }, { quiet: true }).catch(() => {});
  }

  #hush() {
    this.sender.replaceTrack(null).catch(() => {});
    this.#track?.stop();
    this.#track = undefined;
  }

  #happened({ kind, fields }) {
    if (kind !== 'sessionTalked' || !this.session.endsWith(fields.VIGIL_SESSION) || this.state !== 'on') return;
    this.#show('off');
    this.#hush();
    note(t('talk.ended', { camera: this.camera }));
  }

  #show(state) {
    this.state = state;
    this.element.dataset.state = state;
    this.element.setAttribute('aria-pressed', String(state === 'on'));
    fill(this.element, t(`talk.${state}`));
  }
}
