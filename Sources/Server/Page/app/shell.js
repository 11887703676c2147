// What is around every view: the navigation, the cameras with a word of state, the line that says when nobody answers.
import { fill, h, icon, iconButton } from './dom.js';
import { offer, showKeys } from './keys.js';
import { attempt } from './notices.js';
import { connection, isAnswered, send } from './requests.js';
import { cameraAddress, go } from './router.js';
import { site } from './site.js';
import { foreignZone } from './time.js';
import { applyTheme, chooseTheme, theme, THEMES } from './theme.js';
import { labelWords, language, names, store, t } from './words.js';

const PLACES = [
  ['wall', '/', 'wall'], ['events', '/events', 'events'], ['cameras', '/cameras', 'camera'],
  ['policies', '/policies', 'policies'], ['system', '/system', 'system'],
];

/// How much a camera's label asks for attention: `alarm`, `live` (recording), or nothing.
export function attention(state) {
  if (!state) return '';
  if (state.coverage === 'linkLost' || state.coverage === 'storage' || state.link === 'waiting') return 'alarm';
  return state.coverage ?? '';
}

/// The word of state that stands beside a camera's name.
export function stateWord(state) {
  if (!state) return t('state.unknown');
  if (state.coverage === 'recorded' && state.trigger === 'active') return t('state.event');
  return labelWords(state.coverage);
}

export class Shell {
  #main = h('main', { id: 'main', tabindex: '-1' });
  #list = h('ul.camera-list');
  #links = new Map();
  #banner = h('div.banner', { role: 'status', hidden: true });
  #ending = new AbortController();
  #camera = undefined;
  #rows = new Map();

  constructor(root) {
    const places = PLACES.map(([name, to, drawing]) => {
      const link = h(`a.place.place-${name}`, { href: to }, icon(drawing), h('span', {}, t(`place.${name}`)));
      this.#links.set(name, link);
      return link;
    });
    root.replaceChildren(
      h('a.skip', { href: '#main', onclick: (event) => (event.preventDefault(), this.#main.focus()) }, t('page.skip')),
      h('header.side', {},
        h('a.brand', { href: '/' }, h('img', { src: '/icon.svg', alt: '', width: 24, height: 24 }), h('span', {}, 'Vigil')),
        h('nav', { 'aria-label': t('page.navigation') }, places),
        h('section.side-cameras', { 'aria-label': t('place.cameras') }, this.#list),
        h('div.side-foot', {}, this.#menu())),
      this.#banner, this.#main);
    const { signal } = this.#ending;
    site.addEventListener('states', () => this.#drawCameras(), { signal });
    for (const kind of ['silent', 'answered']) connection.addEventListener(kind, () => this.#drawBanner(), { signal });
    this.#drawCameras();
    this.#drawBanner();
  }

  /// Marks the place of a view.
  select(view, parameters) {
    const place = { camera: 'cameras', zones: 'cameras', messages: 'events', uploads: 'system', missing: undefined }[view] ?? view;
    for (const [name, link] of this.#links) {
      if (name === place) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    this.#camera = view === 'camera' ? parameters.camera?.split(',')[0] : undefined;
    document.body.dataset.view = view;
    this.#drawCameras();
    offer({ camera: (count) => this.openCamera(count) });
  }

  /// Opens the camera of this number, 1 for the first.
  openCamera(count) {
    const name = [...site.states.keys()][count - 1];
    if (name) go(cameraAddress(name));
  }

  /// The empty place for a view.
  clear() {
    this.#main.replaceChildren();
    this.#main.className = '';
    this.#main.scrollTop = 0;
    return this.#main;
  }

  /// Says what is shown, for the window and its history.
  title(text) {
    document.title = text ? `${text} – Vigil` : 'Vigil';
  }

  end() {
    this.#ending.abort();
    offer();
  }

  #drawCameras() {
    const states = [...site.states.values()];
    if (states.length !== this.#rows.size || states.some((state) => !this.#rows.has(state.camera))) {
      this.#rows = new Map(states.map((state) => {
        const word = h('small');
        const link = h('a', { href: cameraAddress(state.camera), title: state.camera }, h('i.dot'), h('span.name', {}, state.camera), word);
        return [state.camera, { link, word }];
      }));
      fill(this.#list, [...this.#rows.values()].map(({ link }) => h('li', {}, link)));
    }
    for (const state of states) {
      const { link, word } = this.#rows.get(state.camera);
      const text = stateWord(state);
      if (word.textContent !== text) word.textContent = text;
      link.dataset.state = attention(state);
      link.toggleAttribute('data-event', state.trigger === 'active');
      if (state.camera === this.#camera) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  }

  #drawBanner() {
    this.#banner.hidden = isAnswered();
    this.#banner.textContent = t('page.silent');
  }

  #menu() {
    const zone = foreignZone();
    return [
      zone && h('p.quiet', { title: t('page.zoneTip') }, t('page.zone', { zone })),
      h('div.row', {},
        iconButton('theme', t('page.theme', { theme: t(`theme.${theme()}`) }), (event) => {
          chooseTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
          const words = t('page.theme', { theme: t(`theme.${theme()}`) });
          event.currentTarget.title = words;
          event.currentTarget.setAttribute('aria-label', words);
        }),
        iconButton('keys', t('keys.title'), () => showKeys()),
        iconButton('out', t('login.leave'), () => attempt(async () => {
          await send('POST', '/v1/logout', {});
          location.assign('/');
        })),
        languageChoice()),
    ];
  }
}

/// The choice of the language; it loads the page anew.
export function languageChoice() {
  const choose = (event) => {
    store('language', event.currentTarget.value);
    location.reload();
  };
  return h('select.small', { 'aria-label': t('page.language'), onchange: choose },
    Object.entries(names).map(([tag, name]) => h('option', { value: tag, selected: tag === language }, name)));
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => applyTheme());
