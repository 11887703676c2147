// What can be set on a camera: record now, the recording toggle, privacy, sensitivity and length of its policy.
import { fill, h } from '../app/dom.js';
import { attempt, note } from '../app/notices.js';
import { ofCamera, read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { parse, stamp } from '../app/time.js';
import { recordingValue, withRecording } from '../app/policy-text.js';
import { length, t } from '../app/words.js';

/// Begins a recording now, or prolongs the one that goes on.
export function recordNow(camera) {
  return attempt(async () => {
    site.take([await send('POST', ofCamera(camera, 'record'), {})]);
    note(t('record.began', { camera }));
  });
}

/// Sets a switch and offers to undo it.
function change(camera, method, name, body, before, words) {
  return attempt(async () => {
    const set = async (value) => site.take([await send(method, ofCamera(camera, name), value)]);
    await set(body);
    note(words, { action: t('undo'), act: () => attempt(() => set(before)) });
  });
}

const SENSITIVITIES = [['1', 'low'], ['5', 'medium'], ['10', 'high']];
const LENGTHS = ['10s', '15s', '30s', '60s', '120s', '180s'];

export class SettingsPanel {
  #policy = undefined;
  #shown = '';

  constructor(view) {
    this.view = view;
    this.body = h('div');
    this.clips = h('div');
    this.element = h('div.settings', {}, this.body, this.clips);
    fill(this.clips, h('section', {}, h('h3', {}, t('clip.title')), h('button', { type: 'button', onclick: () => this.#showClip() }, t('clip.show'))));
    this.draw();
    addEventListener('policies', () => {
      this.#policy = undefined;
      this.#shown = '';
      this.draw();
    });
  }

  /// Shows the camera as it is now.
  draw() {
    const state = site.state(this.view.camera);
    if (!state) return;
    if (this.#policy?.name !== state.policy) this.#readPolicy(state.policy);
    const shown = JSON.stringify([state.enabled, state.privacy, state.policy, state.link, state.trigger, state.coverage, state.why, state.viewers, this.#policy?.revision]);
    if (shown === this.#shown || this.body.contains(document.activeElement?.closest('select'))) return;
    this.#shown = shown;
    const focused = document.activeElement?.dataset?.switch;
    fill(this.body, this.#state(state), this.#switches(state), this.#policyForm(state));
    if (focused) this.body.querySelector(`[data-switch="${focused}"]`)?.focus();
  }

  async #readPolicy(name) {
    this.#policy = { name };
    const policy = await attempt(() => read(`/v1/policies/${encodeURIComponent(name)}`));
    if (policy && this.#policy?.name === name) this.#policy = policy;
    this.draw();
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

  #policyForm(state) {
    const text = this.#policy?.text;
    if (!text) return undefined;
    const choose = async (key, value) => {
      const { proposeChange } = await import('./proposal.js');
      await proposeChange(state.policy, t('why.change', { change: t('change.key', { key, value }) }), (old) => withRecording(old, key, value));
      this.#shown = '';
      this.draw();
    };
    const sensitivity = { low: '1', medium: '5', high: '10' }[recordingValue(text, 'sensitivity')] ?? recordingValue(text, 'sensitivity') ?? '5';
    const longest = { '1m': '60s', '2m': '120s', '3m': '180s' }[recordingValue(text, 'maxEventLength')] ?? recordingValue(text, 'maxEventLength') ?? '60s';
    const select = (key, label, value, options) => h('label.field', {}, h('span', {}, label),
      h('select', { disabled: !site.may('administer'), onchange: (event) => (event.currentTarget.blur(), choose(key, event.currentTarget.value)) },
        options.map(([option, words]) => h('option', { value: option, selected: option === value }, words))));
    return h('section', {}, h('h3', {}, t('settings.notices')),
      select('sensitivity', t('settings.sensitivity'), sensitivity, SENSITIVITIES.map(([value, name]) => [value, t(`sensitivity.${name}`)])),
      select('maxEventLength', t('settings.length'), longest, LENGTHS.map((value) => [value, length(Number.parseInt(value, 10) * 1000)])),
      h('p.row', {}, h('a.button', { href: `/zones/${encodeURIComponent(this.view.camera)}` }, t('zones.title'))));
  }

  async #showClip() {
    const { ClipCard } = await import('./clip.js');
    new ClipCard(this.view, this.clips).show();
  }
}
