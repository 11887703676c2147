// All cameras at once: live sub-streams where there are few and they are seen, single pictures else; the state only where it
// deserves attention.
import { fill, h, icon, iconButton } from '../app/dom.js';
import { offer } from '../app/keys.js';
import { emptiness } from '../app/notices.js';
import { ask, ofCamera, query } from '../app/requests.js';
import { cameraAddress } from '../app/router.js';
import { attention } from '../app/shell.js';
import { site } from '../app/site.js';
import { parse, stamp } from '../app/time.js';
import { LivePlayer } from '../player/live.js';
import { cut } from '../player/viewport.js';
import { labelWords, store, stored, t } from '../app/words.js';

const LIVE_MOST = 16, PICTURE_EVERY = 5000;
// As in the style sheet: between tiles, and below them.
const GAP = 4, PADDING = 16;

export function open(main, parameters, shell) {
  shell.title(t('place.wall'));
  if (!site.states.size) {
    main.append(emptiness('camera', t('wall.none'), h('p', {}, t('wall.howTo')), h('pre', {}, 'cameras:\n  front: { main: rtsp://192.168.1.20/stream1, policy: home }')));
    return {};
  }
  return new Wall(main, shell);
}

class Wall {
  #tiles = new Map();
  #ending = new AbortController();
  #timer = 0;

  constructor(main, shell) {
    main.className = 'wall-view';
    this.grid = h('ul.wall', { 'aria-label': t('place.wall') });
    this.fit = stored('fit') === 'fill' ? 'fill' : 'fit';
    this.columns = Number(stored('columns')) || 0;
    this.bar = h('div.wall-bar', { role: 'toolbar', 'aria-label': t('wall.layout') },
      h('h1', {}, t('place.wall')), this.summary = h('p.quiet', { 'aria-live': 'polite' }),
      h('span.grow'),
      h('select.small', { 'aria-label': t('wall.columns'), onchange: (event) => this.#choose(Number(event.currentTarget.value)) },
        [0, 1, 2, 3, 4, 6].map((count) => h('option', { value: count, selected: count === this.columns }, count ? t('wall.inColumns', { count }) : t('wall.automatic')))),
      iconButton('fit', t('wall.fit'), (event) => this.#toggleFit(event.currentTarget), { 'aria-pressed': String(this.fit === 'fill') }),
      iconButton('full', `${t('control.full')} (F)`, () => this.#full()));
    main.append(this.bar, this.grid);
    this.seen = new IntersectionObserver((entries) => {
      for (const entry of entries) this.#tiles.get(entry.target.dataset.camera)?.setSeen(entry.isIntersecting);
    }, { rootMargin: '64px' });
    const { signal } = this.#ending;
    site.addEventListener('states', () => this.#draw(), { signal });
    document.addEventListener('visibilitychange', () => this.#tiles.forEach((tile) => tile.update()), { signal });
    this.sizes = new ResizeObserver(() => this.#layOut());
    this.sizes.observe(this.grid);
    this.#timer = setInterval(() => this.#tiles.forEach((tile) => tile.turn()), PICTURE_EVERY);
    offer({ full: () => this.#full(), camera: (count) => shell.openCamera(count) });
    this.#draw();
  }

  #choose(columns) {
    this.columns = columns;
    store('columns', columns ? String(columns) : undefined);
    this.#layOut();
  }

  #toggleFit(button) {
    this.fit = this.fit === 'fit' ? 'fill' : 'fit';
    store('fit', this.fit);
    button.setAttribute('aria-pressed', String(this.fit === 'fill'));
    this.grid.dataset.fit = this.fit;
    // What is cut lies otherwise then.
    for (const tile of this.#tiles.values()) tile.video.dispatchEvent(new Event('resize'));
  }

  #full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.grid.requestFullscreen?.().catch(() => {});
  }

  #draw() {
    const states = [...site.states.values()];
    const names = states.map((state) => state.camera);
    if (names.join('\n') !== [...this.#tiles.keys()].join('\n')) {
      for (const tile of this.#tiles.values()) tile.end();
      this.seen.disconnect();
      this.#tiles = new Map(names.map((name) => [name, new Tile(name, names.length <= LIVE_MOST)]));
      fill(this.grid, [...this.#tiles.values()].map((tile) => tile.element));
      for (const tile of this.#tiles.values()) this.seen.observe(tile.element);
      this.grid.dataset.fit = this.fit;
      this.#layOut();
    }
    for (const state of states) this.#tiles.get(state.camera).show(state);
    const alarms = states.filter((state) => attention(state) === 'alarm').length;
    const text = alarms ? t('wall.alarms', { count: alarms }) : t('wall.well', { count: states.length });
    if (this.summary.textContent !== text) this.summary.textContent = text;
    this.summary.classList.toggle('alarm', alarms > 0);
  }

  // As many columns as give the largest pictures of 16:9.
  #layOut() {
    const count = this.#tiles.size, { clientWidth: width, clientHeight: height } = this.grid;
    if (!count || !width) return;
    let columns = this.columns;
    if (!columns) {
      const isNarrow = width < 640;
      const most = Math.min(count, isNarrow ? (count > 4 ? 2 : 1) : 9);
      let best = 0;
      for (let tried = 1; tried <= most; tried += 1) {
        const wide = width / tried, rows = Math.ceil(count / tried);
        const size = isNarrow ? wide : Math.min(wide, ((height / rows) * 16) / 9);
        if (isNarrow ? tried === most : size > best) [best, columns] = [size, tried];
      }
    }
    const rows = Math.ceil(count / columns), isFilling = rows * (((width / columns) * 9) / 16) > height && width >= 640 && !this.columns;
    this.grid.style.setProperty('--columns', String(Math.min(columns, Math.max(1, count))));
    this.grid.style.setProperty('--tile', `${Math.floor(((height - PADDING - (rows - 1) * GAP) / rows) * (16 / 9))}px`);
    this.grid.classList.toggle('is-filling', isFilling);
  }

  end() {
    this.#ending.abort();
    clearInterval(this.#timer);
    this.seen.disconnect();
    this.sizes.disconnect();
    for (const tile of this.#tiles.values()) tile.end();
  }
}

/// One camera of the wall.
class Tile {
  #ending = new AbortController();
  #player = undefined;
  #isSeen = false;
  #failures = 0;

  constructor(camera, mayPlay) {
    this.camera = camera;
    this.mayPlay = mayPlay;
    this.video = h('video', { playsinline: true, muted: true, hidden: true, tabindex: '-1' });
    this.video.muted = true;
    this.image = h('img', { alt: '', decoding: 'async', hidden: true });
    this.image.addEventListener('load', () => (this.image.hidden = !this.video.hidden));
    this.image.addEventListener('error', () => (this.image.hidden = true));
    this.words = h('span.tile-words');
    this.name = h('span.tile-name', {}, h('i.dot'), h('span.name', {}, camera));
    this.link = h('a.tile', { href: cameraAddress(camera) }, this.video, this.image, this.words, this.name);
    this.element = h('li', { 'data-camera': camera }, this.link);
    cut(this.video, camera, this.#ending.signal);
  }

  setSeen(isSeen) {
    this.#isSeen = isSeen;
    this.update();
  }

  /// Shows the camera's state.
  show(state) {
    const mood = attention(state), before = this.state;
    this.state = state;
    this.link.dataset.state = mood;
    this.link.toggleAttribute('data-event', state.trigger === 'active');
    const isHidden = state.privacy.hard || state.privacy.softLive;
    const isOut = state.link !== 'streaming' && this.#player?.state !== 'playing';
    const words = isHidden ? [icon('hide'), t('screen.ended.privacy')]
      : mood === 'alarm' ? [icon('link'), h('strong', {}, labelWords(state.coverage)), h('small', {}, [state.lastFailure, state.since && t('screen.since', { time: stamp(parse(state.since), 'minute') })].filter(Boolean).join(' – '))]
        : isOut ? [icon('camera'), labelWords(state.coverage)] : [];
    const text = words.map((one) => one.textContent ?? one).join('|');
    if (this.shown !== text) {
      this.shown = text;
      fill(this.words, words);
      this.words.hidden = !words.length;
    }
    this.link.setAttribute('aria-label', `${this.camera}: ${labelWords(state.coverage)}${state.lastFailure && isOut ? `, ${state.lastFailure}` : ''}`);
    if (before?.link !== state.link || before?.privacy.softLive !== state.privacy.softLive || before?.privacy.hard !== state.privacy.hard) this.update();
  }

  /// Plays where it is seen and may; else it rests.
  update() {
    const isWanted = this.#isSeen && !document.hidden && this.state && !this.state.privacy.hard && !this.state.privacy.softLive;
    // Browsers open one WebSocket of a host at a time: one that waits for a lost camera would keep the others waiting.
    const isThere = this.state?.link === 'streaming' || this.state?.link === 'off';
    if (isWanted && isThere && this.mayPlay && this.#failures < 3) this.#play();
    else this.#rest();
    if (isWanted && !this.#player) this.turn();
  }

  #play() {
    if (this.#player) return;
    const player = new LivePlayer(this.video, this.camera, { stream: site.smallStream(this.camera) });
    this.#player = player;
    player.addEventListener('state', ({ detail }) => {
      if (player !== this.#player) return;
      if (detail.state === 'playing') {
        this.video.hidden = false;
        this.image.hidden = true;
        this.#failures = 0;
        this.show(this.state);
      } else if (detail.state === 'codec' || detail.state === 'ended') {
        this.#failures = 3;
        this.update();
      }
    });
    player.start();
  }

  #rest() {
    if (!this.#player) return;
    this.#player.end();
    this.#player = undefined;
    this.video.removeAttribute('src');
    this.video.load();
    this.video.hidden = true;
  }

  /// Takes a new picture where no stream plays.
  async turn() {
    const { state } = this;
    if (!this.#isSeen || document.hidden || !state || state.privacy.hard || state.privacy.softLive || this.isAsking) return;
    if (this.#player && (this.#player.state === 'playing' || this.image.src)) return;
    this.isAsking = true;
    try {
      const blob = await (await ask(ofCamera(this.camera, `live.jpg${query({ width: 640 })}`))).blob();
      const old = this.image.src;
      this.image.src = URL.createObjectURL(blob);
      if (old) URL.revokeObjectURL(old);
    } catch {
      // What is wrong with the camera stands on the tile already.
    } finally {
      this.isAsking = false;
    }
  }

  end() {
    this.#ending.abort();
    this.#rest();
    if (this.image.src) URL.revokeObjectURL(this.image.src);
  }
}

