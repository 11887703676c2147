// A new token: its name, what it may, on which cameras; it is shown once.
import { fill, h } from '../app/dom.js';
import { dialog, refusalLines } from '../app/notices.js';
import { send } from '../app/requests.js';
import { site } from '../app/site.js';
import { t } from '../app/words.js';

const ROLES = ['viewer', 'operator', 'admin'];

/// Asks for a token and shows it; gives whether one was made.
export function tokenDialog() {
  let isMade = false;
  return dialog(t('tokens.create'), (close) => {
    const name = h('input', { required: true, maxlength: 64, pattern: '[a-z0-9][a-z0-9_\\-]*', autofocus: true, autocomplete: 'off' });
    const role = h('select', {}, ROLES.map((one) => h('option', { value: one }, t(`role.${one}`))));
    const boxes = [...site.states.keys()].map((camera) => h('input', { type: 'checkbox', value: camera, checked: true }));
    const told = h('div', { role: 'alert' });
    const make = async (event) => {
      event.preventDefault();
      const cameras = boxes.filter((box) => box.checked).map((box) => box.value);
      try {
        const { token } = await send('POST', '/v1/tokens', { name: name.value, role: role.value, ...(cameras.length === boxes.length ? {} : { cameras }) });
        isMade = true;
        form.replaceWith(h('div.row', {}, h('p', {}, t('tokens.once')), h('pre.code.grow', { tabindex: '0' }, token), h('button.primary', { type: 'button', onclick: () => close(isMade) }, t('close'))));
      } catch (error) {
        fill(told, refusalLines(error));
      }
    };
    const form = h('form.form', { onsubmit: make },
      h('div.pair', {}, h('label.field', {}, h('span', {}, t('tokens.name')), name), h('label.field', {}, h('span', {}, t('tokens.role')), role)),
      h('fieldset', {}, h('legend', {}, t('place.cameras')), boxes.map((box) => h('label.check', {}, box, box.value))), told,
      h('footer', {}, h('button', { type: 'button', onclick: () => close(false) }, t('cancel')), h('button.primary', { type: 'submit' }, t('tokens.create'))));
    return form;
  }).then(() => isMade);
}
