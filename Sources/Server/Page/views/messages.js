// What Vigil has to tell about itself: a link that is lost, a disk that is full, a camera that was covered. Clearing a message
// touches no event and no clip.
import { fill, h, icon, iconButton } from '../app/dom.js';
import { attempt, emptiness, failure, sentence, waiting } from '../app/notices.js';
import { ask, read } from '../app/requests.js';
import { cameraAddress } from '../app/router.js';
import { site } from '../app/site.js';
import { local, parse, stamp } from '../app/time.js';
import { t } from '../app/words.js';

export function open(main, _, shell) {
  shell.title(t('place.messages'));
  main.className = 'page messages-view';
  const list = h('ul.message-list');
  const told = h('div', { 'aria-live': 'polite' }, waiting(t('timeline.loading')));
  const all = h('button', { type: 'button', hidden: true, onclick: () => clear('/v1/messages') }, t('messages.clearAll'));
  main.append(h('header.page-head', {}, h('h1', {}, t('place.messages')), h('a.button', { href: '/events' }, icon('events'), t('place.events')), h('span.grow'), all), list, told);
  let isEnded = false;

  const clear = (path) => attempt(async () => {
    await ask(path, { method: 'DELETE' });
    await load();
  });
  const row = ({ id, kind, camera, message, remedy, count, first, last, over, priority }) => {
    const begin = parse(first), end = parse(over ?? last), when = begin === end ? stamp(begin) : `${stamp(begin)} – ${stamp(end)}`;
    return h('li.message', { 'data-kind': kind, 'data-priority': priority, 'data-over': over ? '' : undefined }, icon(/link|dial/i.test(kind) ? 'link' : 'messages'),
      h('div', {},
        h('p', {}, camera && [h('a', { href: cameraAddress(camera, { t: local(Math.floor(begin / 1000) * 1000) }) }, camera), ': '], sentence(message)),
        h('p.quiet', {}, [when, count > 1 && t('messages.count', { count }), over ? t('messages.over') : t('messages.holds')].filter(Boolean).join(' · ')),
        remedy && h('details', {}, h('summary', {}, t('messages.remedy')), h('p', {}, sentence(remedy)))),
      site.may('operate') && iconButton('close', t('messages.clear'), () => clear(`/v1/messages/${encodeURIComponent(id)}`)));
  };
  const load = async () => {
    try {
      const messages = await read('/v1/messages');
      if (isEnded) return;
      fill(list, messages.map(row));
      fill(told, messages.length ? undefined : emptiness('check', t('messages.none')));
      all.hidden = messages.length < 2 || !site.may('operate');
    } catch (error) {
      if (!isEnded) fill(told, failure(error, load));
    }
  };
  load();
  return { end: () => (isEnded = true) };
}
