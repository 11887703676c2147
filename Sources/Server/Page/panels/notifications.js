// Who is told of events and problems over HTTP, whether they take it, and what became of the newest notifications.
import { fill, h } from '../app/dom.js';
import { attempt, note, refusalLines, sentence } from '../app/notices.js';
import { read, send } from '../app/requests.js';
import { cameraAddress } from '../app/router.js';
import { site } from '../app/site.js';
import { local, parse, stamp } from '../app/time.js';
import { t } from '../app/words.js';

const EVERY = 10_000;
const SHOWN = 10;

/// Fills `place` now and every ten seconds until `signal` ends it.
export function showNotifications(place, signal) {
  const receivers = new Map(), list = h('ul.plain-list.receivers'), told = h('ol.journal.notifications'), nobody = h('p.quiet');
  const all = h('button', { type: 'button', hidden: true, onclick: () => (shown = Infinity, load()) });
  let shown = SHOWN, timer;

  const draw = ({ receivers: now, notifications }) => {
    for (const name of receivers.keys()) if (!now.some((one) => one.receiver === name)) receivers.delete(name);
    for (const one of now) {
      if (!receivers.has(one.receiver)) receivers.set(one.receiver, new Receiver(one.receiver, load));
      receivers.get(one.receiver).draw(one);
    }
    const elements = [...receivers.values()].map(({ element }) => element);
    // A button that has the focus keeps it.
    if (elements.length !== list.children.length || elements.some((one, number) => one !== list.children[number])) fill(list, elements);
    nobody.hidden = now.length > 0 && notifications.length > 0;
    nobody.textContent = now.length || notifications.length || !site.may('administer') ? t('told.nothing') : t('told.nobody');
    fill(told, notifications.slice(0, shown).map(line));
    all.hidden = notifications.length <= shown;
    all.textContent = t('told.all', { count: notifications.length });
    if (!place.contains(list)) fill(place, list, nobody, told, all);
  };
  const load = async () => {
    clearTimeout(timer);
    try {
      draw(await read('/v1/notifications', { signal }));
    } catch (error) {
      if (error.name === 'AbortError') return;
      fill(place, refusalLines(error));
    }
    if (!signal.aborted) timer = setTimeout(load, EVERY);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  load();
}

class Receiver {
  #address = h('span.quiet');
  #state = h('small');
  #button;

  constructor(name, changed) {
    this.#button = site.may('operate') && h('button', { type: 'button', 'aria-label': t('told.tryOne', { name }), onclick: () => this.#try(name, changed) }, t('told.try'));
    this.element = h('li.row', { 'data-receiver': name }, h('span.grow', {}, h('strong', {}, name), ' ', this.#address, h('br'), this.#state), this.#button);
  }

  draw({ kind, address, waiting, failingSince, why }) {
    this.#address.textContent = `${kind}, ${address}`;
    this.#state.className = failingSince ? 'alarm' : 'quiet';
    this.#state.textContent = [failingSince ? t('told.fails', { time: stamp(parse(failingSince), 'minute'), why: why ?? '' }) : t('told.takes'),
      waiting > 0 && t('told.waiting', { count: waiting })].filter(Boolean).join(' · ');
  }

  async #try(name, changed) {
    this.#button.disabled = true;
    await attempt(async () => {
      const { taken, why } = await send('POST', `/v1/receivers/${encodeURIComponent(name)}/test`);
      note(taken ? t('told.taken', { name }) : [h('p', {}, h('strong', {}, t('told.refused', { name }))), h('p', {}, sentence(why))], { isAlarm: !taken });
    });
    this.#button.disabled = false;
    changed();
  }
}

function line({ receiver, kind, camera, problem, at, state, attempts, why }) {
  const time = parse(at), isTrouble = state === 'givenUp' || (state === 'waiting' && attempts > 0);
  return h('li', { 'data-state': state }, h('time', { datetime: at }, stamp(time)),
    h('span', {}, camera && [h('a', { href: cameraAddress(camera, { t: local(Math.floor(time / 1000) * 1000) }) }, camera), ' '], t(`told.${kind}`, { problem: problem ?? '' }),
      ' → ', receiver, ' ', h('small', { class: isTrouble ? 'alarm' : 'quiet' }, [t(`told.state.${state}`), attempts > 0 && t('told.attempts', { count: attempts }), state !== 'taken' && why].filter(Boolean).join(' · '))));
}
