// What stands over a picture that is not there: what is waited for, what failed and why, what can be done.
import { h } from '../app/dom.js';
import { sentence } from '../app/notices.js';
import { site } from '../app/site.js';
import { stamp } from '../app/time.js';
import { labelWords, length, t } from '../app/words.js';

const ENDINGS = ['privacy', 'full', 'expired'];

/// The words for a screen: `{ title, more, action, drawing, isLight, isPatient }`; nothing where its picture is all there is to see.
export function veilWords(screen) {
  const { state, next, why, codec, error } = screen.detail ?? {};
  const camera = site.state(screen.camera), isHidden = camera?.privacy?.hard || camera?.privacy?.softLive;
  const isOut = camera && (camera.link !== 'streaming' || isHidden);
  switch (state) {
    case 'waiting': case 'opening':
      if (screen.isLive && isOut) return linkWords(camera);
      return { isPatient: true, isLight: true, title: t(screen.isLive ? 'screen.firstFrame' : 'screen.loading') };
    case 'hole': return holeWords(screen, next);
    case 'lost': case 'silent': return isOut ? linkWords(camera) : { isPatient: true, drawing: 'link', title: t('screen.silent') };
    case 'ended': return endWords(screen, why, error);
    case 'codec': return { drawing: 'camera', title: t('screen.codec', { codec: codec ?? '' }), more: t('screen.codecHelp'), action: canUseSub(screen) && button(t('screen.useSub'), () => useSub(screen)) };
    case 'failed': return screen.isLive ? failedWords(screen, error) : { ...failedWords(screen, error), ...screen.record?.cloud?.veil(screen.time) };
    default: return undefined;
  }
}

const failedWords = (screen, error) => ({ drawing: 'camera', title: sentence(error?.what ?? error?.message ?? ''), more: error?.remedy && sentence(error.remedy), action: again(screen) });

const button = (words, onclick) => h('button', { type: 'button', onclick }, words);
const again = (screen) => button(t('again'), () => screen.again());
const canUseSub = (screen) => screen.isLive && screen.stream !== 'sub' && site.smallStream(screen.camera) === 'sub';

function useSub(screen) {
  screen.stream = 'sub';
  screen.again();
}

function endWords(screen, why, error) {
  const isKnown = ENDINGS.includes(why);
  return {
    drawing: why === 'privacy' ? 'hide' : 'camera', title: t(`screen.ended.${isKnown ? why : 'other'}`), more: isKnown ? undefined : sentence(error?.why ?? why),
    action: why === 'privacy' ? undefined : again(screen),
  };
}

function linkWords(camera) {
  if (camera.privacy?.hard || camera.privacy?.softLive) return { drawing: 'hide', title: t('screen.ended.privacy') };
  if (camera.link === 'off') return { drawing: 'camera', title: labelWords(camera.coverage), more: sentence(camera.why ?? '') };
  const since = camera.since && t('screen.since', { time: stamp(Date.parse(camera.since), 'minute') });
  const retry = camera.nextRetryMs ? t('screen.retry', { wait: length(Math.max(1000, camera.nextRetryMs)) }) : undefined;
  return {
    drawing: 'link', title: t(camera.link === 'synchronizing' ? 'screen.firstFrame' : 'screen.linkLost'),
    more: [sentence([camera.lastFailure, since].filter(Boolean).join(', ')), retry].filter(Boolean).join(' '),
  };
}

function holeWords(screen, told) {
  const at = screen.time, stretch = screen.record?.labelAt(at), next = told ?? screen.record?.nextMedia(at);
  return {
    title: t('screen.nothing'), more: stretch ? labelWords(stretch.label) : undefined,
    action: [next && button(t('screen.skipTo', { time: stamp(next) }), () => screen.goTo(next + 10)),
      h('button.plain', { type: 'button', onclick: () => screen.dispatchEvent(new Event('why')) }, t('why.ask'))],
  };
}
