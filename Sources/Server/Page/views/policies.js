// Policies: the text with a check as one types, what differs, what it would have recorded, the ladder, apply.
import { fill, h, paced } from '../app/dom.js';
import { attempt, emptiness, failure, refusalLines, waiting } from '../app/notices.js';
import { ofCamera, query, read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { DAY, parse, stamp, utc } from '../app/time.js';
import { withRecording } from '../app/policy-text.js';
import { length, size, t } from '../app/words.js';
import { cloudForm } from '../panels/cloud-form.js';
import { Tabs } from '../panels/tabs.js';
import { differenceLines } from '../panels/difference.js';
import { applyText, findingList, simulateText, simulationTable } from '../panels/proposal.js';

export function open(main, parameters, shell) {
  shell.title(parameters.policy ?? t('place.policies'));
  main.className = 'page policies-view';
  const view = new PoliciesView(main);
  view.begin(parameters.policy);
  return view;
}

class PoliciesView {
  #ending = new AbortController();
  #checking = 0;
  #policy = undefined;

  constructor(main) {
    this.list = h('ul.policy-list');
    this.work = h('section.policy-work', { 'aria-live': 'off' });
    main.append(h('header.page-head', {}, h('h1', {}, t('place.policies'))), h('div.columns', {}, this.list, this.work));
    addEventListener('policies', () => this.begin(this.#policy?.name), { signal: this.#ending.signal });
  }

  follow(parameters) {
    if (this.text && this.#policy && this.text.value !== this.#policy.text && parameters.policy !== this.#policy.name && !confirm(t('policy.leave'))) return true;
    this.begin(parameters.policy);
    return true;
  }

  async begin(name) {
    try {
      this.policies = await read('/v1/policies', { signal: this.#ending.signal });
      const chosen = this.policies.find((policy) => policy.name === name) ?? this.policies[0];
      fill(this.list, this.policies.map((policy) => h('li', {}, h('a.card', { href: `/policies/${encodeURIComponent(policy.name)}`, 'aria-current': policy === chosen ? 'page' : undefined },
        h('strong', {}, policy.name), policy.summary !== policy.name && h('span.quiet', {}, policy.summary), h('small', {}, policy.cameras.join(', ') || t('policy.unused'))))));
      if (!chosen) fill(this.work, emptiness('policies', t('policy.none')));
      else this.#show(await read(`/v1/policies/${encodeURIComponent(chosen.name)}`, { signal: this.#ending.signal }));
    } catch (error) {
      if (error.name !== 'AbortError') fill(this.work, failure(error, () => this.begin(name)));
    }
  }

  #show(policy) {
    this.#policy = policy;
    this.text = h('textarea.code', {
      id: 'policy-text', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', rows: Math.max(12, policy.text.split('\n').length + 1), value: policy.text,
      disabled: !site.may('administer'), 'aria-describedby': 'policy-verdict', oninput: () => this.#typed(),
    });
    this.verdict = h('div.verdict', { id: 'policy-verdict', role: 'status' });
    this.differs = h('div');
    this.simulated = h('div.simulated');
    this.ladder = h('div.ladder');
    this.versions = h('div');
    this.applyButton = h('button.primary', { type: 'button', disabled: true, onclick: () => this.#apply() }, t('policy.apply'));
    this.undoButton = h('button', { type: 'button', disabled: true, onclick: () => this.#put(this.#policy.text) }, t('policy.discard'));
    this.cloud = cloudForm(policy.text, (text) => {
      this.text.value = text;
      this.#typed();
    });
    this.camera = this.policies.find((one) => one.name === policy.name)?.cameras[0];
    this.tabs = new Tabs([
      ['verdict', t('policy.check'), h('div', {}, this.verdict, this.differs)],
      ['cloud', t('cloudForm.tab'), this.cloud.element],
      ['simulation', t('simulate.short'), this.simulated],
      ['ladder', t('ladder.short'), this.ladder],
      ['versions', t('policy.versions'), this.versions],
    ], (name) => this.#chosen(name));
    fill(this.work,
      h('div.policy-editor', {}, h('label', { for: 'policy-text' }, h('strong', {}, policy.name), ' ', h('span.quiet', {}, policy.path)), this.text,
        h('p.row', {}, this.applyButton, this.undoButton, h('a', { href: '/policies/reference', hidden: !this.policies.some((one) => one.name === 'reference') }, t('policy.reference')))),
      h('div.policy-results', {}, this.tabs.element));
    this.#check();
  }

  #put(text) {
    this.text.value = text;
    this.#typed();
    this.text.focus();
  }

  #typed() {
    if (this.cloud.text !== this.text.value) this.cloud.draw(this.text.value);
    const isOther = this.text.value !== this.#policy.text;
    this.undoButton.disabled = !isOther;
    this.applyButton.disabled = true;
    fill(this.simulated);
    this.#paced();
  }

  #paced = paced(350, () => this.#check());

  async #check() {
    const turn = (this.#checking += 1), text = this.text.value;
    try {
      const verdict = await send('POST', '/v1/policies/check', { text }, { signal: this.#ending.signal });
      if (turn !== this.#checking) return;
      fill(this.verdict, h('p.state', { 'data-valid': String(verdict.valid) }, t(verdict.valid ? 'policy.valid' : 'policy.invalid')),
        findingList(verdict.findings), verdict.explanation && h('pre.explanation', { tabindex: '0' }, verdict.explanation));
      this.text.setAttribute('aria-invalid', String(!verdict.valid));
      const isOther = text !== this.#policy.text;
      this.applyButton.disabled = !verdict.valid || !isOther || !site.may('administer') || verdict.name !== this.#policy.name;
      fill(this.differs, isOther && [h('h3', {}, t('policy.difference')), differenceLines(this.#policy.text, text)]);
      if (this.tabs.name === 'simulation') this.#simulate();
    } catch (error) {
      if (error.name !== 'AbortError' && turn === this.#checking) fill(this.verdict, refusalLines(error));
    }
  }

  #chosen(name) {
    if (name === 'simulation') this.#simulate();
    if (name === 'ladder') this.#climb();
    if (name === 'versions') this.#history();
  }

  async #simulate() {
    const text = this.text.value;
    fill(this.simulated, waiting(t('simulate.running')));
    try {
      const users = this.policies.find((one) => one.name === this.#policy.name)?.cameras ?? [];
      const answers = await simulateText(text, this.#ending.signal);
      if (text === this.text.value) fill(this.simulated, h('p.quiet', {}, t('simulate.help')), simulationTable(answers.filter((answer) => !users.length || users.includes(answer.camera))));
    } catch (error) {
      if (error.name !== 'AbortError') fill(this.simulated, refusalLines(error));
    }
  }

  // What each sensitivity and length would have recorded of one camera, in the last week.
  async #climb(camera = this.camera) {
    if (!camera) return fill(this.ladder, h('p.quiet', {}, t('policy.unused')));
    this.camera = camera;
    fill(this.ladder, waiting(t('simulate.running')));
    try {
      const to = Date.now();
      const answer = await read(ofCamera(camera, `ladder${query({ from: utc(to - 7 * DAY), to: utc(to), asEvents: 'true' })}`), { signal: this.#ending.signal });
      const lengths = [...new Set(answer.rungs.map((rung) => rung.maxEventLengthMs))], levels = [...new Set(answer.rungs.map((rung) => rung.sensitivity))];
      const most = Math.max(1, ...answer.rungs.map((rung) => rung.simulated.recordedMs));
      fill(this.ladder,
        h('label.field', {}, h('span', {}, t('simulate.camera')), h('select', { onchange: (event) => this.#climb(event.currentTarget.value) },
          [...site.states.keys()].map((name) => h('option', { value: name, selected: name === camera }, name)))),
        h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('ladder.title') }, h('table.figures.ladder-table', {},
          h('caption', {}, t('ladder.help')),
          h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('settings.length')), levels.map((level) => h('th', { scope: 'col' }, t(`sensitivity.${{ 1: 'low', 5: 'medium', 10: 'high' }[level]}`))))),
          h('tbody', {}, lengths.map((ms) => h('tr', {}, h('th', { scope: 'row' }, length(ms)), levels.map((level) => this.#rung(answer.rungs.find((rung) => rung.sensitivity === level && rung.maxEventLengthMs === ms), most))))))),
        answer.remarks.map((remark) => h('p.quiet', {}, remark)));
    } catch (error) {
      if (error.name !== 'AbortError') fill(this.ladder, refusalLines(error));
    }
    return undefined;
  }

  #rung(rung, most) {
    const { events, recordedMs, bytes } = rung.simulated;
    const use = () => this.#put(withRecording(withRecording(this.text.value, 'sensitivity', String(rung.sensitivity)), 'maxEventLength', `${rung.maxEventLengthMs / 1000}s`));
    const cell = h('td', { 'data-today': rung.isToday ? '' : undefined }, h('button.rung', { type: 'button', onclick: use, disabled: !site.may('administer'), title: t('ladder.use') },
      h('strong', {}, t('ladder.events', { count: events })), h('small', {}, length(recordedMs), bytes === undefined ? '' : `, ${size(bytes)}`), rung.isToday && h('small.today', {}, t('ladder.today')), h('i.bar')));
    cell.querySelector('.bar').style.width = `${(100 * recordedMs) / most}%`;
    return cell;
  }

  async #history() {
    const versions = await attempt(() => read(`/v1/policies/${encodeURIComponent(this.#policy.name)}/versions`));
    if (!versions) return;
    fill(this.versions, versions.length ? h('ul.plain-list', {}, versions.reverse().map((version) => h('li', {},
      h('details', {}, h('summary', {}, t('policy.version', { time: stamp(parse(version.replaced)), revision: version.revision })), differenceLines(version.text, this.#policy.text),
        h('button', { type: 'button', disabled: !site.may('administer'), onclick: () => this.#put(version.text) }, t('policy.take')))))) : h('p.quiet', {}, t('policy.noVersions')));
  }

  async #apply() {
    this.applyButton.disabled = true;
    const applied = await applyText(this.#policy.name, this.text.value, this.#policy);
    if (!applied) this.applyButton.disabled = false;
  }

  end() {
    this.#ending.abort();
  }
}

