// Plans in plain words: whether clips are sent, until when, when what is there is deleted, where the plan is managed.
import { h, icon } from '../app/dom.js';
import { sentence } from '../app/notices.js';
import { address, cameraAddress } from '../app/router.js';
import { parse, stamp } from '../app/time.js';
import { length, number, size, t } from '../app/words.js';
import { planMood, reasonParts, webLink } from '../app/cloud.js';

/// A reason with its remedy, as lines.
export function reasonLines(why) {
  const { reason, remedy } = reasonParts(why);
  return [h('p.alarm', {}, sentence(reason)), remedy && h('p.quiet', {}, sentence(remedy))];
}

/// A moment with how far it is away, for machines too.
function moment(text, now = Date.now()) {
  const at = parse(text), distance = at - now;
  const near = Math.abs(distance) < 60_000 ? t('cloud.now') : t(distance > 0 ? 'cloud.in' : 'cloud.ago', { length: length(Math.abs(distance)) });
  return h('dd', {}, h('time', { datetime: text }, stamp(at, 'minute', now)), ' ', h('span.quiet', {}, near));
}

/// The words of a plan's state. Where nobody is asked, there is no plan to speak of.
export function planTitle({ state }, isAsked) {
  return !isAsked && (state === 'noData' || state === 'validData') ? t('cloud.always') : t(`cloud.state.${state}`);
}

/// What a state means for clips.
function planMeaning({ state, sends }, isAsked) {
  if (state === 'loadFailed') return t(sends ? 'cloud.failedSends' : 'cloud.failedRests');
  return !isAsked && state === 'validData' ? t('cloud.means.always') : t(`cloud.means.${state}`);
}

/// A plan as a card; `cameras` are those that it is of. `isAsked`: a service says for how long.
export function planCard(plan, isAsked, { now = Date.now() } = {}) {
  const { state, planEnd, deletedAt, manageUrl, loaded, why } = plan, link = webLink(manageUrl);
  const hasEnded = planEnd && parse(planEnd) <= now;
  const fact = (name, value) => [h('dt', {}, t(`cloud.${name}`)), value];
  const facts = [
    plan.plan && fact('plan', h('dd', {}, plan.plan)),
    planEnd && fact(hasEnded ? 'ended' : 'ends', moment(planEnd, now)),
    !planEnd && isAsked && plan.sends && fact('ends', h('dd', {}, t('cloud.endless'))),
    deletedAt && fact('deleted', moment(deletedAt, now)),
    isAsked && fact('loaded', loaded ? moment(loaded, now) : h('dd', {}, t('cloud.never'))),
  ].filter(Boolean);
  return h('li.plan', { 'data-state': state, 'data-mood': planMood(plan) },
    h('div.plan-head', {}, h('i.dot', { 'aria-hidden': 'true' }), h('strong', {}, planTitle(plan, isAsked)),
      link && h('a.button', { href: link, target: '_blank', rel: 'noopener noreferrer' }, t('cloud.manage'), icon('away'), h('span.unseen', {}, t('cloud.opened')))),
    h('p', {}, planMeaning(plan, isAsked)),
    why && h('div', {}, reasonLines(why)),
    facts.length > 0 && h('dl.facts.short', {}, facts),
    h('ul.plan-cameras', { 'aria-label': t('place.cameras') }, plan.cameras.map(({ camera, clips, bytes }) => h('li', {},
      h('a', { href: cameraAddress(camera), title: camera }, camera), ' ',
      h('span.quiet', {}, clips > 0 ? t('cloud.holds', { size: size(bytes), count: clips }) : t('cloud.holdsNothing'))))));
}

/// What is in the cloud of all plans together.
export function heldLine(plans) {
  const clips = plans.reduce((sum, plan) => sum + plan.clips, 0), bytes = plans.reduce((sum, plan) => sum + plan.bytes, 0);
  return h('p', {}, h('strong.figure', {}, size(bytes)), ' ', t('cloud.inClips', { count: clips, clips: number(clips) }));
}

/// A button-like link to the upload queue, of one camera or of all.
export const queueLink = (camera) => h('a.button', { href: address('/uploads', { camera }) }, icon('cloud'), t('cloud.queue'));

/// How cloud storage is configured, where it is not.
export function howTo() {
  return [
    h('p', {}, t('cloud.none')),
    h('p.quiet', {}, t('cloud.noneHow')),
    h('pre.code', { tabindex: '0', 'aria-label': t('cloud.example') }, [
      '# vigil.yaml', 'cloud:', '  store:', '    endpoint: ADDRESS', '    bucket: NAME', '    credential: store',
      'credentials:', '  store:', '    file: /etc/vigil/credentials/store', '', `# ${t('cloud.aPolicy')}`, 'cloud: { upload: events }',
    ].join('\n')),
  ];
}
