// What is set for one camera over its policy: mode, sensitivity, the longest event, microphone, recorded sound, how the
// picture is turned, which part of it is shown; and what is set at the camera itself.
import { fill, h } from '../app/dom.js';
import { attempt, note, refusalLines } from '../app/notices.js';
import { ofCamera, read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { parse, stamp } from '../app/time.js';
import { length, t } from '../app/words.js';

const SENSITIVITIES = { 1: 'low', 5: 'medium', 10: 'high' };
const VALUES = {
  mode: ['off', 'event', 'continuous'],
  sensitivity: Object.keys(SENSITIVITIES),
  maxEventLength: ['10s', '15s', '30s', '1m', '2m', '3m'],
  microphone: ['on', 'off'],
  recordedSound: ['on', 'off'],
  rotation: ['0', '180'],
  nightVision: ['auto', 'on', 'off'],
  brightness: ['0', '25', '50', '75', '100'],
  contrast: ['0', '25', '50', '75', '100'],
  saturation: ['0', '25', '50', '75', '100'],
  sharpness: ['0', '25', '50', '75', '100'],
  speakerVolume: ['0', '20', '40', '60', '80', '100'],
};

/// What is set at the camera itself.
const OF_DEVICE = ['nightVision', 'brightness', 'contrast', 'saturation', 'sharpness', 'speakerVolume'];
/// Of that what is a part of the levels that the camera has.
const LEVELS = OF_DEVICE.slice(1);

/// A duration as policies write it, in milliseconds.
const milliseconds = (text) => [...text.matchAll(/(\d+)([ms])/g)].reduce((sum, [, number, unit]) => sum + number * (unit === 'm' ? 60_000 : 1000), 0);

/// A value in the reader's words.
function words(key, value) {
  if (key === 'sensitivity') return t(`sensitivity.${SENSITIVITIES[value]}`);
  if (LEVELS.includes(key)) return `${value} %`;
  return key === 'maxEventLength' ? length(milliseconds(value)) : t(`own.${key}.${value}`);
}

/// The settings of a camera, kept up to date until `signal`.
export class CameraSettings {
  constructor(signal, camera) {
    this.signal = signal;
    this.camera = camera;
    this.fields = h('section');
    this.reached = h('p.quiet', { role: 'status' });
    this.element = h('div', {}, this.reached, this.fields);
    site.addEventListener('states', () => this.#reach(), { signal });
    this.#reach();
    site.addEventListener('happened', ({ detail }) => detail.kind === 'settingChanged' && detail.camera === camera && this.load(), { signal });
    addEventListener('policies', () => this.load(), { signal });
    this.load();
  }

  async load() {
    try {
      const { settings, device } = await read(ofCamera(this.camera, 'settings'), { signal: this.signal });
      if (this.fields.contains(document.activeElement?.closest('select'))) return;
      fill(this.fields, h('h3', {}, t('own.title')), settings.map((line) => this.#field(line)), device?.problem && h('p.quiet', {}, t('own.device', { why: device.problem })));
    } catch (error) {
      if (error.name !== 'AbortError') fill(this.fields, h('h3', {}, t('own.title')), refusalLines(error));
    }
  }

  /// Whether the camera can be reached, while nobody records it.
  #reach() {
    const { reachable } = site.state(this.camera) ?? {};
    fill(this.reached, reachable && t(reachable.endpoint ? 'own.reachable' : 'own.unreachable', { why: reachable.failure }));
    this.reached.hidden = !reachable;
  }

  #field({ key, value, standard, since, by, reported }) {
    if (key === 'viewport') return this.#part(value, since, by);
    const chosen = since ? value : 'default';
    const values = VALUES[key].includes(value) ? VALUES[key] : [...VALUES[key], value];
    const options = [['default', t(OF_DEVICE.includes(key) ? 'own.camera' : 'own.standard', { value: standard ? words(key, standard) : '?' })], ...values.map((one) => [one, words(key, one)])];
    return h('label.field', {}, h('span', {}, t(`own.${key}`)),
      h('select', { 'data-setting': key, disabled: !site.may('operate'), onchange: (event) => this.#choose(event.currentTarget, key, chosen) },
        options.map(([option, text]) => h('option', { value: option, selected: option === chosen }, text))),
      since && h('small', {}, t('own.set', { by, time: stamp(parse(since), 'minute') })),
      reported && h('small', {}, t('own.reported', { value: words(key, reported) })));
  }

  /// The part that is shown is chosen on a picture.
  #part(value, since, by) {
    const percent = Math.round(100 * (value.split(',')[2] - value.split(',')[0]));
    return h('div.field', {}, h('span', { id: 'own-viewport' }, t('own.viewport')),
      h('button', { type: 'button', 'data-setting': 'viewport', 'aria-describedby': 'own-viewport', disabled: !site.may('operate'), onclick: () => this.#choosePart(value, since ? value : 'default') },
        percent === 100 ? t('own.viewport.whole') : t('own.viewport.part', { percent })),
      since && h('small', {}, t('own.set', { by, time: stamp(parse(since), 'minute') })));
  }

  async #choosePart(value, before) {
    const { chooseViewport } = await import('./viewport.js');
    const chosen = await chooseViewport(this.camera, value);
    if (chosen !== undefined && chosen !== before) await attempt(() => this.#set('viewport', chosen, before));
  }

  #choose(select, key, before) {
    const { value } = select;
    select.blur();
    return attempt(async () => {
      try {
        await this.#set(key, value, before);
      } catch (error) {
        select.value = before;
        throw error;
      }
    });
  }

  async #set(key, value, before) {
    const set = async (next) => {
      await send('PATCH', ofCamera(this.camera, 'settings'), { [key]: next });
      await this.load();
    };
    await set(value);
    note(t('own.done', { setting: t(`own.${key}`), camera: this.camera }), { action: t('undo'), act: () => attempt(() => set(before)) });
  }
}
