// An address that leads nowhere.
import { h } from '../app/dom.js';
import { emptiness } from '../app/notices.js';
import { t } from '../app/words.js';

export function open(main, _, shell) {
  shell.title(t('missing.title'));
  main.append(emptiness('why', t('missing.title'), h('p', {}, h('a', { href: '/' }, t('place.wall')))));
  return {};
}
