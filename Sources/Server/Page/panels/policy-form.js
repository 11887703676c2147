// What a camera notices, as its policy has it: sensitivity and the longest event. A change is shown before it is made.
import { h } from '../app/dom.js';
import { recordingValue, withRecording } from '../app/policy-text.js';
import { read } from '../app/requests.js';
import { site } from '../app/site.js';
import { length, t } from '../app/words.js';
import { cloudPart } from './cloud-parts.js';
import { proposeChange } from './proposal.js';

const SENSITIVITIES = [['1', 'low'], ['5', 'medium'], ['10', 'high']];
const LENGTHS = ['10s', '15s', '30s', '60s', '120s', '180s'];
const SENSITIVITY_WORDS = { low: '1', medium: '5', high: '10' }, LENGTH_WORDS = { '1m': '60s', '2m': '120s', '3m': '180s' };

/// The form for the policy of a camera.
export async function policyForm(camera, name) {
  // Who may not read policies sees none.
  const policy = await read(`/v1/policies/${encodeURIComponent(name)}`).catch(() => undefined);
  const zones = h('p.row', {}, h('a.button', { href: `/zones/${encodeURIComponent(camera)}` }, t('zones.title')));
  if (!policy) return zones;
  const cloud = await cloudPart(() => import('./cloud-form.js')).catch(() => undefined);
  const choose = async (select, key, before) => {
    const { value } = select;
    select.blur();
    const change = t('why.change', { change: t('change.key', { key, value }) });
    if (!(await proposeChange(name, change, (text) => withRecording(text, key, value)))) select.value = before;
  };
  const field = (key, words, value, options) => h('label.field', {}, h('span', {}, words),
    h('select', { disabled: !site.may('administer'), onchange: (event) => choose(event.currentTarget, key, value) },
      options.map(([option, text]) => h('option', { value: option, selected: option === value }, text))));
  const valueOf = (key, known, usual) => {
    const value = recordingValue(policy.text, key) ?? usual;
    return known[value] ?? value;
  };
  return [
    h('h3', {}, t('settings.notices')),
    field('sensitivity', t('settings.sensitivity'), valueOf('sensitivity', SENSITIVITY_WORDS, '5'), SENSITIVITIES.map(([value, word]) => [value, t(`sensitivity.${word}`)])),
    field('maxEventLength', t('settings.length'), valueOf('maxEventLength', LENGTH_WORDS, '60s'), LENGTHS.map((value) => [value, length(Number.parseInt(value, 10) * 1000)])),
    zones,
    cloud?.cloudRow(name, policy.text),
  ];
}
