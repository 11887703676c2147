// A change of a policy before it is made: the lines that differ, what the check says, what it would have done last week; then
// apply, with "undo" afterwards.
import { fill, h } from '../app/dom.js';
import { attempt, dialog, note, refusalLines, sentence, waiting } from '../app/notices.js';
import { read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { DAY, utc } from '../app/time.js';
import { length, number, size, t } from '../app/words.js';
import { differenceLines } from './difference.js';
import { story } from './story.js';

const policyPath = (name) => `/v1/policies/${encodeURIComponent(name)}`;

/// The findings of a check as a list, the stories that show what they mean as small timelines.
export function findingList(findings) {
  if (!findings?.length) return undefined;
  return h('ul.findings', {}, findings.map((finding) => h('li', { 'data-severity': finding.severity },
    h('strong', {}, finding.line ? t('policy.line', { line: finding.line }) : '', ' ', finding.keyPath ?? ''),
    h('p', {}, sentence(finding.reason)), h('p.quiet', {}, sentence(finding.remedy)),
    finding.trace?.length ? story(finding.trace) : undefined)));
}

/// What a simulation answers, a row for each camera, with what would have been gained and lost.
export function simulationTable(answers) {
  if (!answers.length) return h('p.quiet', {}, t('simulate.noTrace'));
  const change = (before, after, words) => h('td', {}, words(after), h('small', {}, after === before ? t('simulate.same') : `${after > before ? '+' : '−'}${words(Math.abs(after - before))}`));
  return h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('simulate.title') },
    h('table.figures', {},
      h('thead', {}, h('tr', {}, ['camera', 'events', 'recorded', 'size', 'gained', 'lost'].map((name) => h('th', { scope: 'col' }, t(`simulate.${name}`))))),
      h('tbody', {}, answers.map(({ camera, inForce, simulated, gained, lost, gainedMs, lostMs }) => h('tr', {},
        h('th', { scope: 'row', title: camera }, camera),
        change(inForce.events, simulated.events, number), change(inForce.recordedMs, simulated.recordedMs, length),
        simulated.bytes === undefined ? h('td', {}, '–') : change(inForce.bytes ?? 0, simulated.bytes, size),
        h('td', {}, length(gainedMs), h('small', {}, t('simulate.clips', { count: gained.length }))),
        h('td', {}, length(lostMs), h('small', {}, t('simulate.clips', { count: lost.length }))))))),
    unknownLines(answers));
}

function unknownLines(answers) {
  const words = new Set(answers.flatMap((answer) => answer.notKnown.map((one) => `${answer.camera}: ${one.words}`)));
  return words.size > 0 && h('details', {}, h('summary', {}, t('simulate.notKnown')), h('ul.quiet', {}, [...words].map((line) => h('li', {}, line))));
}

/// Simulates a text over the last week, as far as there is a trace.
export function simulateText(text, signal) {
  const to = Date.now();
  return send('POST', '/v1/simulate', { text, from: utc(to - 7 * DAY), to: utc(to) }, { signal });
}

/// Applies a text; afterwards it can be undone. Gives the policy as it is then, nothing where it was refused.
export async function applyText(name, text, before) {
  const applied = await attempt(() => send('PUT', policyPath(name), { text, expectedRevision: before?.revision }));
  if (!applied) return undefined;
  note(t('policy.applied', { policy: name }), before && {
    action: t('undo'), act: () => attempt(async () => {
      await send('PUT', policyPath(name), { text: before.text, expectedRevision: applied.revision });
      note(t('policy.undone', { policy: name }));
      dispatchEvent(new Event('policies'));
    }),
  });
  dispatchEvent(new Event('policies'));
  site.refreshStates().catch(() => {});
  return applied;
}

/// Shows what a change of a policy's text would do, and applies it if that is wanted. `change` makes the new text of the old.
/// Gives the policy that is in force then, nothing where it was left.
export async function proposeChange(name, title, change) {
  const before = await attempt(() => read(policyPath(name)));
  if (!before) return undefined;
  const text = change(before.text);
  const users = [...site.states.values()].filter((state) => state.policy === name).map((state) => state.camera);
  const abort = new AbortController();
  const isWanted = await dialog(title, (close) => {
    const checked = h('div', {}, waiting(t('policy.checking')));
    const simulated = h('div.simulated', {}, waiting(t('simulate.running')));
    const button = h('button.primary', { type: 'button', disabled: true, onclick: () => close(true) }, t('policy.apply'));
    send('POST', '/v1/policies/check', { text }, { signal: abort.signal }).then((verdict) => {
      fill(checked, findingList(verdict.findings.filter((finding) => finding.severity === 'error' || !verdict.valid)));
      button.disabled = !verdict.valid || !site.may('administer') || text === before.text;
    }, (error) => fill(checked, refusalLines(error)));
    simulateText(text, abort.signal).then((answers) => fill(simulated, simulationTable(answers.filter((answer) => users.includes(answer.camera)))),
      (error) => error.name !== 'AbortError' && fill(simulated, refusalLines(error)));
    return [
      h('p', {}, t('proposal.policy', { policy: name, cameras: users.join(', ') })),
      differenceLines(before.text, text), checked,
      h('h3', {}, t('simulate.title')), simulated,
      h('footer', {}, h('a.button', { href: `/policies/${encodeURIComponent(name)}`, onclick: () => close(false) }, t('policy.edit')),
        h('button', { type: 'button', onclick: () => close(false) }, t('cancel')), button),
    ];
  }, { isWide: true });
  abort.abort();
  return isWanted ? applyText(name, text, before) : undefined;
}

