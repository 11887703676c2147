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
  // Counts presses: what an earlier one still waits for is no matter of a later one.
  #press = 0;
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
    this.#listening.abort();
    this.#halt();
    this.element.remove();
  }

  async #begin() {
    if (!navigator.mediaDevices) return note(t('talk.insecure'), { isAlarm: true });
    this.#show('waiting');
    const press = ++this.#press;
    let track;
    try {
      [track] = (await navigator.mediaDevices.getUserMedia({ audio: SOUND })).getAudioTracks();
    } catch ({ name }) {
      if (press !== this.#press) return undefined;
      this.#halt();
      return note(name === 'NotAllowedError' ? t('talk.refused') : t('talk.missing'), { isAlarm: true });
    }
    // It was pressed again, or the picture is gone, while the browser asked.
    if (press !== this.#press) return track.stop();
    this.#track = track;
    track.onended = () => this.#stop();
    try {
      await this.sender.replaceTrack(track);
      await send('POST', `${this.session}/talk`, { on: true }, { quiet: true });
    } catch (error) {
      if (press !== this.#press) return undefined;
      // The daemon may have begun although its answer is lost.
      this.#stop();
      return tellRefusal(error);
    }
    if (press === this.#press) this.#show('on');
    return undefined;
  }

  /// Ends it by a press: the daemon is told, also where its answer has not come yet.
  #stop() {
    this.#halt();
    send('POST', `${this.session}/talk`, { on: false }, { quiet: true }).catch(() => {});
  }

  /// Ends it here. Nothing is heard any more, whatever an earlier press still waits for.
  #halt() {
    this.#press += 1;
    this.#show('off');
    this.sender.replaceTrack(null).catch(() => {});
    this.#track?.stop();
    this.#track = undefined;
  }

  #happened({ kind, fields }) {
    if (kind !== 'sessionTalked' || !this.session.endsWith(fields.VIGIL_SESSION) || this.state === 'off') return;
    // While another press waits it may be over or not: the daemon is told, so that both agree.
    this.#stop();
    note(t('talk.ended', { camera: this.camera }));
  }

  #show(state) {
    this.state = state;
    this.element.dataset.state = state;
    this.element.setAttribute('aria-pressed', String(state === 'on'));
    fill(this.element, t(`talk.${state}`));
  }
}
