// Why a moment was or was not recorded: the label, what failed, the facts, and the smallest change that would have helped.
import { fill, h, icon } from '../app/dom.js';
import { attempt, note, refusalLines, sentence, waiting } from '../app/notices.js';
import { ofCamera, query, read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { clock, parse, stamp, utc } from '../app/time.js';
import { labelWords, length, t } from '../app/words.js';

export class WhyPanel {
  #abort = new AbortController();
  #at = undefined;

  constructor(view) {
    this.view = view;
    this.answer = h('div', { 'aria-live': 'polite' });
    this.element = h('div.why', {}, h('button', { type: 'button', onclick: () => this.askAt(this.view.timeline.head) }, icon('why'), t('why.askNow')), this.answer);
  }

  end() {
    this.#abort.abort();
  }

  /// Asks about a moment, at most the last that is over.
  async askAt(moment) {
    const at = Math.min(Math.round(moment), Date.now() - 1500);
    if (this.#at === at) return;
    this.#at = at;
    this.#abort.abort();
    this.#abort = new AbortController();
    fill(this.answer, h('h2', {}, stamp(at)), waiting(t('why.reading')));
    try {
      const answer = await read(ofCamera(this.view.camera, `why${query({ at: utc(at) })}`), { signal: this.#abort.signal });
      fill(this.answer, this.#draw(answer, at));
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.#at = undefined;
      fill(this.answer, h('h2', {}, stamp(at)), refusalLines(error));
    }
  }

  #draw(answer, at) {
    const from = parse(answer.from), to = parse(answer.to);
    return [
      h('h2', {}, h('i.swatch', { 'data-label': answer.label }), labelWords(answer.label)),
      h('p.quiet', {}, stamp(at), from && to ? t('why.stretch', { from: clock(from), to: clock(to), length: length(to - from) }) : ''),
      this.view.records[0].cloud?.note(at),
      answer.failed.length > 0 && h('ul.reasons', {}, answer.failed.map((one) => h('li', {}, sentence(one.words)))),
      this.#remedy(answer, at),
      answer.suppressed.length > 0 && h('section', {}, h('h3', {}, t('why.suppressed')), h('ul.plain-list', {}, answer.suppressed.slice(0, 20).map((one) =>
        h('li', {}, h('button.plain', { type: 'button', onclick: () => this.view.seek(parse(one.time)) }, stamp(parse(one.time) ?? at)), ' ', one.words)))),
      answer.remarks.map((remark) => h('p.quiet', {}, sentence(remark))),
      answer.moment?.facts.length > 0 && h('section', {}, h('h3', {}, t('why.facts')), h('dl.facts', {}, answer.moment.facts.map((fact) => [
        h('dt', {}, t(`fact.${fact.part}`)), h('dd', {}, sentence(fact.words), fact.cause && h('small', {}, fact.since ? `${stamp(parse(fact.since))} – ` : '', fact.cause)),
      ]))),
      answer.moment?.account.length > 0 && h('details', {}, h('summary', {}, t('why.account')), h('pre.account', { tabindex: '0' }, answer.moment.account.join('\n'))),
    ];
  }

  #remedy(answer, at) {
    const { remedy } = answer;
    if (remedy.kind === 'none') return h('p', {}, sentence(remedy.words));
    const [change] = remedy.changes;
    const needed = change && ['enabled', 'privacy'].includes(change.change) ? 'operate' : 'administer';
    return h('section.remedy', {},
      h('h3', {}, t(remedy.kind === 'change' ? 'why.wouldHave' : 'why.noChange')),
      h('p', {}, sentence(remedy.words)),
      change && h('div.row', {}, remedy.changes.map((one) => h('button.primary', {
        type: 'button', disabled: !site.may(needed), title: site.may(needed) ? undefined : t('refused.right'), onclick: () => this.#apply(one, at),
      }, t('why.apply', { change: changeWords(one) })))));
  }

  // Switches are changed at once, with "undo"; a change of the policy is shown first, with what it would have done last week.
  #apply(change, at) {
    const { camera } = this.view;
    if (change.change === 'enabled') return this.#switch('PUT', 'enabled', { enabled: true }, { enabled: false });
    if (change.change === 'privacy') {
      const { hard, softRecording } = site.state(camera)?.privacy ?? {};
      return this.#switch('PATCH', 'privacy', { hard: false, softRecording: false }, { hard, softRecording });
    }
    const policy = site.state(camera)?.policy;
    return policy && import('./change.js').then(({ proposeRemedy }) => proposeRemedy(policy, t('why.change', { change: changeWords(change) }), change, at));
  }

  #switch(method, name, body, before) {
    return attempt(async () => {
      site.take([await send(method, ofCamera(this.view.camera, name), body)]);
      note(t(`switch.${name}.done`, { camera: this.view.camera }), {
        action: t('undo'), act: () => attempt(async () => site.take([await send(method, ofCamera(this.view.camera, name), before)])),
      });
    });
  }
}

const changeWords = (change) => (['enabled', 'privacy'].includes(change.change) ? change.words : change.from ? t('change.schedule', { value: change.value }) : change.value === undefined || change.value === null ? change.words : t('change.key', { key: change.change, value: change.value }));
