// Turns a camera by ONVIF: while a button is held, home, and to the positions that it keeps.
import { fill, h, icon, iconButton } from '../app/dom.js';
import { attempt, confirmLoss, note, refusalLines } from '../app/notices.js';
import { ofCamera, read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { t } from '../app/words.js';

// How long a movement lasts by itself; after how long the next one is asked for while a button is held; how long one by a key
// lasts. In milliseconds.
const LASTS = 1500, AGAIN = 1000, NUDGE = 400;
const WAYS = { up: { tilt: 0.5 }, left: { pan: -0.5 }, right: { pan: 0.5 }, down: { tilt: -0.5 }, out: { zoom: -0.5 }, in: { zoom: 0.5 } };
const DRAWINGS = { up: 'up', left: 'stepBack', right: 'stepAhead', down: 'down', out: 'minus', in: 'plus', home: 'home' };

/// The section for a camera that turns; empty for one that does not. Used until `signal`.
export class Turning {
  #orders = Promise.resolve();
  #waiting = 0;
  #held = 0;

  constructor(signal, camera) {
    this.signal = signal;
    this.camera = camera;
    this.presets = h('ul.presets');
    this.element = h('div');
    signal.addEventListener('abort', () => this.#release());
    this.load();
  }

  async load() {
    try {
      this.#draw(await read(ofCamera(this.camera, 'ptz'), { signal: this.signal }));
    } catch (error) {
      // It has no address of ONVIF, or is none that turns.
      if (error.status === 409 || error.name === 'AbortError') return;
      fill(this.element, h('section', {}, h('h3', {}, t('turn.title')), refusalLines(error),
        h('button', { type: 'button', onclick: () => this.load() }, t('again'))));
    }
  }

  #draw(info) {
    const may = site.may('operate');
    this.name = h('input', { type: 'text', maxlength: 64, autocomplete: 'off' });
    fill(this.element, h('section.turning', {}, h('h3', {}, t('turn.title')),
      may && h('div.pad', { role: 'group', 'aria-label': t('turn.title') }, [...Object.keys(WAYS), 'home'].map((way) => this.#button(way))),
      this.presets,
      may && h('form.keep', { onsubmit: (event) => (event.preventDefault(), this.#keep()) },
        h('label.field', {}, h('span', {}, t('turn.name')), this.name), h('button', { type: 'submit' }, t('turn.keep')))));
    this.#list(info);
  }

  #button(way) {
    const properties = way === 'home'
      ? { onclick: () => this.#order({ home: true }) }
      : {
        // A hand holds it; a key presses it once.
        onpointerdown: (event) => this.#hold(event, WAYS[way]),
        onlostpointercapture: () => this.#release(),
        onclick: (event) => event.detail === 0 && this.#order({ move: { ...WAYS[way], forMs: NUDGE } }),
      };
    return h('button', { type: 'button', class: `icon-button way-${way}`, 'aria-label': t(`turn.${way}`), title: t(`turn.${way}`), ...properties }, icon(DRAWINGS[way]));
  }

  #hold(event, way) {
    if (event.button !== 0 || this.#held) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    // While an order is not answered yet, no further movement is asked for.
    const move = () => this.#waiting || this.#order({ move: { ...way, forMs: LASTS } });
    this.#held = setInterval(move, AGAIN);
    move();
  }

  #release() {
    if (!this.#held) return;
    clearInterval(this.#held);
    this.#held = 0;
    this.#order({ stop: true });
  }

  // One after the other, so that a stop comes after what it stops.
  #order(body) {
    this.#waiting += 1;
    this.#orders = this.#orders.then(() => attempt(() => send('POST', ofCamera(this.camera, 'ptz'), body))).then((info) => {
      this.#waiting -= 1;
      return info;
    });
    return this.#orders;
  }

  #list({ presets }) {
    const may = site.may('operate');
    fill(this.presets, presets.map(({ token, name }) => h('li', {},
      h('button', { type: 'button', disabled: !may, onclick: () => this.#order({ preset: token }) }, name || token),
      may && iconButton('trash', t('turn.remove', { name: name || token }), () => this.#remove(token, name || token)))));
    this.presets.hidden = !presets.length;
  }

  async #keep() {
    const name = this.name.value.trim();
    if (!name) return this.name.focus();
    const info = await this.#order({ save: name });
    if (!info) return;
    this.name.value = '';
    note(t('turn.kept', { name }));
    this.#list(info);
  }

  async #remove(token, name) {
    if (!await confirmLoss(t('turn.remove', { name }), t('turn.lost', { name, camera: this.camera }), t('turn.removing'))) return;
    const info = await this.#order({ remove: token });
    if (info) this.#list(info);
  }
}
