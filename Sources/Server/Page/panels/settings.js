// What can be set on a camera: record now, the recording toggle, privacy, sensitivity and length of its policy.
import { fill, h } from '../app/dom.js';
import { cloudPart } from './cloud-parts.js';
import { attempt, note } from '../app/notices.js';
import { ofCamera, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { loadStyle } from '../app/theme.js';
import { parse, stamp } from '../app/time.js';
import { loadWords, t } from '../app/words.js';

/// Sets a switch and offers to undo it.
function change(camera, method, name, body, before, words) {
  return attempt(async () => {
    const set = async (value) => site.take([await send(method, ofCamera(camera, name), value)]);
    await set(body);
    note(words, { action: t('undo'), act: () => attempt(() => set(before)) });
  });
}

export class SettingsPanel {
  #policy = undefined;
  #shown = '';
  #ending = new AbortController();

  constructor(view) {
    this.view = view;
    this.body = h('div');
    this.form = h('section');
    this.clips = h('div');
    this.own = h('div');
    this.turning = h('div');
    this.cloud = h('div.settings-cloud');
    this.element = h('div.settings', {}, this.body, this.turning, this.own, this.cloud, this.clips);
    this.#showOwn();
    this.#showCloud();
    fill(this.clips, h('section', {}, h('h3', {}, t('clip.title')), h('button', { type: 'button', onclick: () => this.#showClip() }, t('clip.show'))));
    this.draw();
    addEventListener('policies', () => {
      const policy = this.#policy;
      this.#policy = undefined;
      this.#drawForm(policy);
    }, { signal: this.#ending.signal });
  }

  end() {
    this.#ending.abort();
  }

  /// Shows the camera as it is now.
  draw() {
    const state = site.state(this.view.camera);
    if (!state) return;
    const shown = JSON.stringify([state.enabled, state.privacy, state.policy, state.link, state.trigger, state.coverage, state.why, state.viewers]);
    if (shown === this.#shown || this.body.contains(document.activeElement?.closest('select'))) return;
    this.#shown = shown;
    const focused = document.activeElement?.dataset?.switch;
    fill(this.body, this.#state(state), this.#switches(state), this.form);
    this.#drawForm(state.policy);
    if (focused) this.body.querySelector(`[data-switch="${focused}"]`)?.focus();
  }

  async #drawForm(policy) {
    if (this.#policy === policy) return;
    this.#policy = policy;
    const { policyForm } = await import('./policy-form.js');
    const form = await policyForm(this.view.camera, policy);
    if (this.#policy === policy) fill(this.form, form);
  }

  #state(state) {
    return [
      h('h2', {}, h('i.swatch', { 'data-label': state.coverage }), t(`label.${state.coverage}`)),
      h('p.quiet', {}, state.why, state.since ? ` – ${t('state.since', { time: stamp(parse(state.since), 'minute') })}` : ''),
      h('dl.facts.short', {},
        h('dt', {}, t('fact.link')), h('dd', {}, t(`link.${state.link}`), state.lastFailure && h('small', {}, state.lastFailure)),
        h('dt', {}, t('fact.viewers')), h('dd', {}, String(state.viewers ?? 0)),
        h('dt', {}, t('fact.policy')), h('dd', {}, h('a', { href: `/policies/${encodeURIComponent(state.policy)}` }, state.policy))),
    ];
  }

  #switches(state) {
    const { camera } = this.view, may = site.may('operate');
    const row = (name, isOn, act, words) => h('label.switch-row', {},
      h('span', {}, words, h('small', {}, t(`switch.${name}.help`))),
      h('input', { type: 'checkbox', role: 'switch', checked: isOn, disabled: !may, 'data-switch': name, onchange: (event) => act(event.currentTarget.checked) }));
    const privacy = (name) => row(name, state.privacy[name], (isOn) => change(camera, 'PATCH', 'privacy', { [name]: isOn }, { [name]: !isOn }, t(`switch.${name}.${isOn ? 'on' : 'off'}`, { camera })), t(`switch.${name}`));
    return h('section', {},
      row('enabled', state.enabled, (isOn) => change(camera, 'PUT', 'enabled', { enabled: isOn }, { enabled: !isOn }, t(`switch.enabled.${isOn ? 'on' : 'off'}`, { camera })), t('switch.enabled')),
      privacy('softRecording'), privacy('softLive'), privacy('hard'));
  }

  async #showOwn() {
    const [{ CameraSettings }, { Turning }] = await Promise.all([import('./camera-settings.js'), import('./turning.js'), loadWords('settings'), loadStyle('settings')]);
    const { signal } = this.#ending;
    if (signal.aborted) return;
    fill(this.own, new CameraSettings(signal, this.view.camera).element);
    fill(this.turning, new Turning(signal, this.view.camera).element);
  }

  async #showCloud() {
    const part = await cloudPart(() => import('./cloud-card.js')).catch(() => undefined);
    if (part && !this.#ending.signal.aborted) fill(this.cloud, new part.CloudCard(this.#ending.signal, this.view.camera).element);
  }

  async #showClip() {
    const { ClipCard } = await import('./clip.js');
    new ClipCard(this.view, this.clips).show();
  }
}
