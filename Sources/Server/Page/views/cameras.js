// All cameras as a list, with what each does and why; on a telephone the way to one camera. Several can be opened in step.
import { fill, h } from '../app/dom.js';
import { emptiness } from '../app/notices.js';
import { cameraAddress, go } from '../app/router.js';
import { attention, stateWord } from '../app/shell.js';
import { site } from '../app/site.js';
import { sentence } from '../app/notices.js';
import { loadStyle } from '../app/theme.js';
import { loadWords, t } from '../app/words.js';

const TOGETHER = 4;

export function open(main, _, shell) {
  shell.title(t('place.cameras'));
  main.className = 'page cameras-view';
  const ending = new AbortController();
  const list = h('ul.cards');
  const chosen = new Set();
  const together = h('button', { type: 'button', disabled: true, onclick: () => go(cameraAddress([...chosen].join(',')).replaceAll('%2C', ',')) }, t('cameras.together'));
  main.append(h('header.page-head', {}, h('h1', {}, t('place.cameras')), h('span.grow'), site.may('administer') && h('button.add', { type: 'button', onclick: (event) => add(event.currentTarget) }, t('cameras.add')), together), list);
  if (!site.states.size) list.replaceWith(emptiness('camera', t('wall.none'), h('p', {}, t('wall.howTo'))));
  const add = async (button) => {
    button.disabled = true;
    const [{ AddCamera }] = await Promise.all([import('../panels/add-camera.js'), loadWords('add'), loadStyle('add')]);
    if (!ending.signal.aborted) button.closest('header').after(new AddCamera(ending.signal).element);
  };
  const rows = new Map();
  const choose = (camera, isChosen) => {
    if (isChosen) chosen.add(camera);
    else chosen.delete(camera);
    if (chosen.size > TOGETHER) rows.get([...chosen][0]).box.click();
    together.disabled = chosen.size < 2;
  };
  const draw = () => {
    const states = [...site.states.values()];
    if (states.length !== rows.size || states.some((state) => !rows.has(state.camera))) {
      rows.clear();
      for (const { camera } of states) {
        const word = h('small'), why = h('span.quiet'), dot = h('i.dot');
        const box = h('input', { type: 'checkbox', 'aria-label': t('cameras.choose', { camera }), onchange: (event) => choose(camera, event.currentTarget.checked) });
        const link = h('a', { href: cameraAddress(camera) }, dot, h('strong.name', { title: camera }, camera), word, why);
        rows.set(camera, { row: h('li.card', {}, link, box), word, why, link, box });
      }
      fill(list, [...rows.values()].map(({ row }) => row));
    }
    for (const state of states) {
      const { word, why, link } = rows.get(state.camera);
      word.textContent = stateWord(state);
      why.textContent = sentence(state.lastFailure ?? state.why ?? '');
      link.dataset.state = attention(state);
      link.toggleAttribute('data-event', state.trigger === 'active');
    }
  };
  draw();
  site.addEventListener('states', draw, { signal: ending.signal });
  return { end: () => ending.abort() };
}

