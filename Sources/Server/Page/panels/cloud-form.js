// What a policy sends to the cloud, as a form over its text: each choice changes one key of `cloud` and leaves all else.
import { fill, h } from '../app/dom.js';
import { attempt, dialog, refusalLines, sentence, waiting } from '../app/notices.js';
import { listEntries, sectionValue, withKey } from '../app/policy-text.js';
import { read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { t } from '../app/words.js';
import { differenceLines } from './difference.js';
import { applyText, findingList } from './proposal.js';

const UPLOADS = ['none', 'events', 'all'];
const LEVELS = ['1', '5', '10'], LEVEL_NAMES = { low: '1', medium: '5', high: '10' };
const CAUSES = ['detection', 'source', 'command'];
const KEEPS = ['byRule', 'untilUploaded'];
const ENCODES = ['none', 'browser', 'small', 'ladder'];
const UNITS = ['m', 'h', 'd', 'w'];
// What says something only about clips that are sent, and only about those of events.
const OF_SENT = ['keepLocal', 'live', 'encode'], OF_EVENTS = ['levels', 'causes'];

/// The values of a policy's `cloud`, as far as the form knows them.
export function cloudValues(text) {
  const value = (key) => sectionValue(text, 'cloud', key);
  const chosen = (key, all, names = {}) => {
    const entries = listEntries(value(key)).map((entry) => names[entry] ?? entry).filter((entry) => all.includes(entry));
    return entries.length ? entries : all;
  };
  return {
    upload: value('upload') ?? 'none', levels: chosen('levels', LEVELS, LEVEL_NAMES), causes: chosen('causes', CAUSES),
    keepLocal: value('keepLocal') ?? 'byRule', live: value('live') === 'true', encode: value('encode') ?? 'none', retention: value('retention') ?? '',
  };
}

/// The text with another choice of what is sent; keys that would say nothing any more go.
export function withUpload(text, upload) {
  const gone = { none: [...OF_SENT, ...OF_EVENTS], all: OF_EVENTS }[upload] ?? [];
  return gone.reduce((changed, key) => withKey(changed, 'cloud', key, undefined), withKey(text, 'cloud', 'upload', upload));
}

/// The text with other levels or causes; all of them is the key left out.
export function withChosen(text, key, chosen) {
  const all = key === 'levels' ? LEVELS : CAUSES;
  return withKey(text, 'cloud', key, chosen.length === all.length ? undefined : `[ ${chosen.join(', ')} ]`);
}

/// What a policy sends, in a few words.
function cloudSummary(text) {
  const { upload, keepLocal } = cloudValues(text);
  const what = UPLOADS.includes(upload) ? t(`cloudForm.upload.${upload}`) : upload;
  return upload !== 'none' && KEEPS.includes(keepLocal) ? `${sentence(what)} ${t(`cloudForm.summary.${keepLocal}`)}` : sentence(what);
}

/// That, with a button that opens the form.
export function cloudRow(name, text) {
  return [
    h('h3', {}, t('cloudForm.title')), h('p', {}, cloudSummary(text)),
    h('p.row', {}, h('button', { type: 'button', 'data-cloud-form': '', onclick: () => cloudDialog(name) }, t(site.may('administer') ? 'cloudForm.change' : 'cloudForm.show'))),
  ];
}

let forms = 0;

/// The form. `put` is given each new text; `draw` of what is returned shows a text that came from elsewhere.
export function cloudForm(text, put) {
  const isLocked = !site.may('administer'), form = (forms += 1);
  const element = h('form.form.cloud-form', { onsubmit: (event) => event.preventDefault() });
  let now = text;
  const change = (changed, focus) => {
    draw(changed);
    if (focus) element.querySelector(`[data-field="${focus}"]`)?.focus({ preventScroll: true });
    put(changed);
  };
  const set = (key, value, focus = key) => change(withKey(now, 'cloud', key, value), focus);
  const choice = (name, values, chosen, act) => h('fieldset', {}, h('legend', {}, t(`cloudForm.${name}`)),
    values.map((value) => h('label.check', {}, h('input', { type: 'radio', name: `cloud-${name}-${form}`, value, checked: value === chosen, disabled: isLocked, 'data-field': `${name}-${value}`, onchange: () => act(value) }), t(`cloudForm.${name}.${value}`))));
  const several = (key, all, chosen, words) => h('fieldset', {}, h('legend', {}, t(`cloudForm.${key}`)),
    all.map((value) => h('label.check', {}, h('input', {
      type: 'checkbox', checked: chosen.includes(value), 'data-field': `${key}-${value}`,
      // The last one stays: no level at all would be every level.
      disabled: isLocked || (chosen.length === 1 && chosen[0] === value),
      onchange: (event) => change(withChosen(now, key, all.filter((one) => (one === value ? event.currentTarget.checked : chosen.includes(one)))), `${key}-${value}`),
    }), words(value))));
  const retention = (value) => {
    const match = /^(\d+)([mhdw])$/.exec(value), isOther = value && !match;
    const count = h('input', { type: 'number', min: 1, max: 36_500, step: 1, required: true, value: match?.[1] ?? '', hidden: !match, disabled: isLocked, 'aria-label': t('cloudForm.count'), 'data-field': 'count',
      onchange: () => count.reportValidity() && set('retention', `${Number(count.value)}${unit.value}`, 'count') });
    const unit = h('select', { disabled: isLocked, 'aria-label': t('cloudForm.retention'), 'data-field': 'retention',
      onchange: () => unit.value !== value && set('retention', unit.value ? `${count.value || 30}${unit.value}` : undefined) },
    [['', t('cloudForm.planHolds')], ...UNITS.map((one) => [one, t(`cloudForm.unit.${one}`)]), ...(isOther ? [[value, value]] : [])]
      .map(([key, words]) => h('option', { value: key, selected: key === (match?.[2] ?? value) }, words)));
    return h('fieldset', {}, h('legend', {}, t('cloudForm.retention')), h('div.row', {}, count, unit));
  };
  function draw(changed) {
    now = changed;
    const { upload, levels, causes, keepLocal, live, encode, retention: kept } = cloudValues(now), isSent = upload !== 'none';
    fill(element,
      choice('upload', UPLOADS, upload, (value) => change(withUpload(now, value), `upload-${value}`)),
      upload === 'events' && several('levels', LEVELS, levels, (value) => t(`event.level.${value}`)),
      upload === 'events' && several('causes', CAUSES, causes, (value) => t(`event.${value}`)),
      isSent && choice('keepLocal', KEEPS, keepLocal, (value) => set('keepLocal', value === 'byRule' ? undefined : value, `keepLocal-${value}`)),
      isSent && keepLocal === 'untilUploaded' && h('p.quiet', {}, t('cloudForm.keepLocalHelp')),
      isSent && retention(kept),
      isSent && choice('encode', ENCODES, encode, (value) => set('encode', value === 'none' ? undefined : value, `encode-${value}`)),
      isSent && h('fieldset', {}, h('legend', {}, t('cloudForm.live')), h('label.check', {}, h('input', { type: 'checkbox', checked: live, disabled: isLocked, 'data-field': 'live',
        onchange: (event) => set('live', event.currentTarget.checked ? 'true' : undefined) }), t('cloudForm.liveOn'))));
  }
  draw(text);
  return { element, draw, get text() { return now; } };
}

/// Shows what a policy sends, with the lines that differ and what the check says, and applies it if that is wanted. Gives the
/// policy that is in force then, nothing where it was left.
export async function cloudDialog(name) {
  const before = await attempt(() => read(`/v1/policies/${encodeURIComponent(name)}`));
  if (!before) return undefined;
  const users = [...site.states.values()].filter((state) => state.policy === name).map((state) => state.camera);
  const abort = new AbortController();
  let turn = 0;
  const wanted = await dialog(t('cloudForm.title'), (close) => {
    const differs = h('div'), checked = h('div', { role: 'status' });
    const button = h('button.primary', { type: 'button', disabled: true, onclick: () => close(form.text) }, t('policy.apply'));
    const check = async (text) => {
      const mine = (turn += 1);
      button.disabled = true;
      fill(differs, text === before.text ? undefined : differenceLines(before.text, text));
      if (text === before.text) return fill(checked);
      fill(checked, waiting(t('policy.checking')));
      try {
        const verdict = await send('POST', '/v1/policies/check', { text }, { signal: abort.signal });
        if (mine !== turn) return undefined;
        fill(checked, findingList(verdict.findings.filter((finding) => finding.severity === 'error' || /^cloud/.test(finding.keyPath ?? ''))));
        button.disabled = !verdict.valid || !site.may('administer');
      } catch (error) {
        if (error.name !== 'AbortError' && mine === turn) fill(checked, refusalLines(error));
      }
      return undefined;
    };
    const form = cloudForm(before.text, check);
    return [
      h('p', {}, t('proposal.policy', { policy: name, cameras: users.join(', ') })), form.element, differs, checked,
      h('footer', {}, h('a.button', { href: `/policies/${encodeURIComponent(name)}`, onclick: () => close() }, t('policy.edit')),
        h('button', { type: 'button', onclick: () => close() }, t('cancel')), button),
    ];
  });
  abort.abort();
  return wanted === undefined ? undefined : applyText(name, wanted, before);
}
