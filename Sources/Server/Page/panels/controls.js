// The controls under the picture: where it is in time, how it goes, what can be done with it.
import { h, icon, set } from '../app/dom.js';
import { keyOf } from '../app/keys.js';
import { site } from '../app/site.js';
import { day, clock, foreignZone } from '../app/time.js';
import { t } from '../app/words.js';

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

export class Controls {
  #buttons = new Map();

  constructor(view) {
    this.view = view;
    const { steering } = view;
    const button = (name, drawing, act, properties = {}) => {
      const element = h('button.icon-button', { type: 'button', onclick: act, ...properties }, icon(drawing));
      this.#buttons.set(name, element);
      this.#label(name, t(`control.${name}`));
      return element;
    };
    this.clock = h('span.clock');
    this.dayButton = h('button.plain.day-button', { type: 'button', title: t('control.day'), onclick: () => view.goToDay() });
    this.liveButton = h('button.live-button', { type: 'button', onclick: () => view.seek(Infinity), title: tip(t('control.live'), 'live') }, h('i'), t('control.live'));
    this.speed = h('select.small', { 'aria-label': t('control.speed'), onchange: (event) => steering.setSpeed(Number(event.currentTarget.value)) },
      SPEEDS.map((speed) => h('option', { value: speed, selected: speed === 1 }, `${speed}×`)));
    this.skip = h('button.icon-button', { type: 'button', 'aria-pressed': 'false', onclick: () => (steering.setSkipping(!steering.skipsHoles), this.draw()) }, icon('skip'));
    this.#buttons.set('skip', this.skip);
    this.#label('skip', t('control.skip'));
    this.element = h('div.controls', { role: 'toolbar', 'aria-label': t('control.label') },
      h('div.control-group.steps', {},
        button('previousEvent', 'previous', () => view.goToEvent(-1)),
        button('frameBack', 'stepBack', () => steering.step(-1), { class: 'icon-button wide-only' }),
        button('playPause', 'pause', () => steering.toggle(), { class: 'icon-button play-button' }),
        button('frameAhead', 'stepAhead', () => steering.step(1), { class: 'icon-button wide-only' }),
        button('nextEvent', 'next', () => view.goToEvent(1)),
        this.speed, this.skip),
      h('div.control-group.deeds', {},
        button('record', 'record', () => view.record(), { class: 'icon-button record-button' }),
        button('sound', 'mute', () => view.toggleSound()),
        button('picture', 'picture', () => view.savePicture(), { class: 'icon-button wide-only' }),
        button('export', 'export', () => view.export()),
        button('why', 'why', () => view.askWhy(), { class: 'icon-button wide-only' }),
        button('full', 'full', () => view.toggleFull())));
    this.zoom = h('div.zoom', { role: 'group', 'aria-label': t('timeline.zoom') },
      button('zoomOut', 'minus', () => view.timeline.zoom(1.6)),
      ['month', 'week', 'day', 'hour', 'minute'].map((name) => h('button.plain', { type: 'button', onclick: () => view.timeline.zoomTo(SPANS[name]) }, t(`span.${name}`))),
      button('zoomIn', 'plus', () => view.timeline.zoom(1 / 1.6)));
    this.when = h('div.when', {}, h('div.control-group', {}, this.dayButton, this.clock, this.liveButton), this.zoom);
    this.draw();
  }

  #label(name, words) {
    const element = this.#buttons.get(name);
    set(element, 'aria-label', words);
    set(element, 'title', tip(words, name));
  }

  #icon(name, drawing) {
    const element = this.#buttons.get(name);
    if (element.dataset.icon === drawing) return;
    element.dataset.icon = drawing;
    element.replaceChildren(icon(drawing));
  }

  /// Shows what is possible and what goes on.
  draw() {
    const { steering, camera } = this.view;
    const { isLive, isPlaying } = steering;
    this.#icon('playPause', isPlaying ? 'pause' : 'play');
    this.#label('playPause', t(isPlaying ? 'control.pause' : 'control.play'));
    this.#icon('sound', steering.isMuted ? 'mute' : 'sound');
    this.#label('sound', t(steering.isMuted ? 'control.unmute' : 'control.mute'));
    this.liveButton.classList.toggle('is-live', isLive);
    this.liveButton.setAttribute('aria-pressed', String(isLive));
    this.speed.disabled = isLive;
    if (Number(this.speed.value) !== steering.speed) this.speed.value = String(steering.speed);
    this.skip.setAttribute('aria-pressed', String(steering.skipsHoles));
    const record = this.#buttons.get('record'), state = site.state(camera);
    record.hidden = !site.may('operate');
    record.disabled = !state?.enabled || Boolean(state?.privacy?.hard || state?.privacy?.softRecording) || state?.mode === 'off';
    record.classList.toggle('is-recording', state?.trigger === 'active');
    this.drawTime(steering.time ?? this.view.timeline.head);
  }

  /// Shows the moment.
  drawTime(at) {
    const text = clock(at), date = day(at), zone = foreignZone(at);
    if (this.clock.textContent !== text) this.clock.textContent = text;
    if (this.dayButton.dataset.day !== date) {
      this.dayButton.dataset.day = date;
      this.dayButton.replaceChildren(icon('day'), date);
      this.clock.title = zone ?? '';
    }
  }
}

const SPANS = { month: 31 * 86_400_000, week: 7 * 86_400_000, day: 86_400_000, hour: 3_600_000, minute: 60_000 };
const tip = (words, action) => (keyOf(action) ? `${words} (${keyOf(action)})` : words);
