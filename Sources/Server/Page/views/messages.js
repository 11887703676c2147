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
  main.append(h('header.page-head', {}, h('h1', {}, t('place.messages')), h('a.button', { href: '/events' }, icon('events'), t('place.events'))), list, told);
  let isEnded = false;

  const clear = (message, row) => attempt(async () => {
    await ask(`/v1/messages/${encodeURIComponent(message.id)}`, { method: 'DELETE' });
    row.remove();
    if (!list.children.length) load();
  });
  const row = (message) => {
    const at = parse(message.last);
    const text = message.message;
    const element = h('li.message', { 'data-kind': message.kind }, icon(/link/i.test(message.kind) ? 'link' : 'messages'),
      h('div', {}, h('p', {}, sentence(text)), h('p.quiet', {}, at === undefined ? '' : stamp(at), message.camera && [' · ',
        h('a', { href: cameraAddress(message.camera, { t: at === undefined ? undefined : local(Math.floor(at / 1000) * 1000) }) }, message.camera)])),
      site.may('operate') && iconButton('close', t('messages.clear'), () => clear(message, element)));
    return element;
  };
  const load = async () => {
    try {
      const messages = await read('/v1/messages');
      if (isEnded) return;
      fill(list, messages.map(row));
      fill(told, messages.length ? undefined : emptiness('check', t('messages.none')));
    } catch (error) {
      if (!isEnded) fill(told, failure(error, load));
    }
  };
  load();
  return { end: () => (isEnded = true) };
}
