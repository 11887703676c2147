// The list of keys, made from the table that the keys are read by.
import { h } from '../app/dom.js';
import { KEYS, keyOf } from '../app/keys.js';
import { dialog } from '../app/notices.js';
import { t } from '../app/words.js';

/// Shows the list.
export function keysDialog() {
  const row = (keys, words) => h('tr', {}, h('th', { scope: 'row' }, keys), h('td', {}, words));
  const rows = KEYS.filter(([, , sign]) => sign !== null).map(([, action]) => row(h('kbd', {}, keyOf(action)), t(`keys.${action}`)));
  rows.push(row([h('kbd', {}, '1'), '…', h('kbd', {}, '9')], t('keys.camera')), row(h('kbd', {}, '?'), t('keys.list')));
  return dialog(t('keys.title'), () => h('table.keys', {}, h('tbody', {}, rows)));
}
