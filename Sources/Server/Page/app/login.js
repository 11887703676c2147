// The login: by the first-run link, or by a token.
import { fill, h } from './dom.js';
import { refusalLines } from './notices.js';
import { send } from './requests.js';
import { t } from './words.js';

/// Takes the code of a first-run link (`#login=CODE`) out of the address and logs in by it. Gives the refusal, if there is one.
export async function loginByLink() {
  const code = new URLSearchParams(location.hash.slice(1)).get('login');
  if (!code) return undefined;
  history.replaceState({}, '', location.pathname + location.search);
  try {
    await send('POST', '/v1/login', { code }, { quiet: true });
    return undefined;
  } catch (refusal) {
    return refusal;
  }
}

/// Asks for a token until one is accepted.
export function askLogin(root, refusal) {
  return new Promise((done) => {
    const token = h('input', { id: 'token', type: 'password', autocomplete: 'current-password', required: true, 'aria-describedby': 'told' });
    const told = h('div.told', { id: 'told', role: 'alert' }, refusal && refusalLines(refusal));
    const button = h('button.primary', { type: 'submit' }, t('login.enter'));
    const submit = async (event) => {
      event.preventDefault();
      button.disabled = true;
      try {
        await send('POST', '/v1/login', { token: token.value.trim() }, { quiet: true });
        done();
      } catch (error) {
        fill(told, refusalLines(error));
        button.disabled = false;
        token.focus();
        token.select();
      }
    };
    root.replaceChildren(
      h('main.login', {},
        h('img', { src: '/icon.svg', alt: '', width: 56, height: 56 }),
        h('h1', {}, 'Vigil'),
        h('form', { onsubmit: submit },
          h('label', { for: 'token' }, t('login.token')),
          token,
          button,
          told),
        h('p.quiet', {}, t('login.how'), ' ', h('code', {}, 'vigil token create')))
    );
    document.title = `${t('login.enter')} – Vigil`;
    token.focus();
  });
}
