// One camera or several in step: the picture, the timeline of live and past, and what can be asked and done about a moment.
import { fill, h } from '../app/dom.js';
import { offer } from '../app/keys.js';
import { attempt, emptiness, note as tell } from '../app/notices.js';
import { cameraAddress, note } from '../app/router.js';
import { site } from '../app/site.js';
import { local, parse } from '../app/time.js';
import { loadWords, store, stored, t } from '../app/words.js';
import { Controls } from '../panels/controls.js';
import { DayPanel } from '../panels/day.js';
import { Tabs } from '../panels/tabs.js';
import { Steering } from '../player/steering.js';
import { spanName, spanOf } from '../timeline/geometry.js';
import { CameraRecord } from '../timeline/record.js';
import { Timeline } from '../timeline/timeline.js';
import { PictureBand } from '../timeline/pictures.js';

/// Opens the view.
export function open(main, parameters, shell) {
  const names = parameters.camera.split(',').filter((name, index, all) => name && all.indexOf(name) === index).slice(0, 4);
  const unknown = names.find((name) => !site.states.has(name));
  if (unknown !== undefined || !names.length) {
    main.append(emptiness('camera', t('camera.unknown', { camera: unknown ?? '' }), h('p', {}, h('a', { href: '/cameras' }, t('place.cameras')))));
    return {};
  }
  return new CameraView(main, names, parameters, shell);
}

// Panels that are loaded when they are first opened, with the words of policies.
const PANELS = {
  why: () => withWords(import('../panels/why.js')).then(({ WhyPanel }) => WhyPanel),
  settings: () => withWords(import('../panels/settings.js')).then(({ SettingsPanel }) => SettingsPanel),
};
const withWords = (module) => Promise.all([module, loadWords('policies')]).then(([loaded]) => loaded);

class CameraView {
  #ending = new AbortController();
  #places = { why: h('div'), settings: h('div') };
  #panels = {};
  #noted = 0;
  #timer = 0;

  constructor(main, names, parameters, shell) {
    this.names = names;
    this.camera = names[0];
    this.shell = shell;
    this.records = names.map((name) => new CameraRecord(name));
    this.steering = new Steering(names, this.records);
    this.timeline = new Timeline(this.records);
    const { strips } = this.steering.lead;
    this.hover = h('div.hover-picture', { hidden: true, 'aria-hidden': 'true' });
    import('../timeline/preview.js').then(({ Preview }) => new Preview(this.timeline, strips, this.hover));
    this.pictures = new PictureBand(this.timeline, strips);
    this.controls = new Controls(this);
    this.day = new DayPanel(this);
    this.tabs = new Tabs([['events', t('panel.events'), this.day.element], ...Object.keys(PANELS).map((name) => [name, t(`panel.${name}`), this.#places[name]])],
      (name) => name !== 'events' && this.#panel(name).then((panel) => name === 'why' && panel?.askAt(this.timeline.head)));
    this.#build(main);
    this.#listen();
    this.follow(parameters);
    this.#timer = setInterval(() => this.#turn(), 1000);
  }

  #build(main) {
    this.screens = h(`div.screens.screens-${this.names.length}`, {}, this.steering.screens.map((screen) => screen.element));
    this.stage = h('section.stage', { 'aria-label': t('screen.label', { camera: this.camera }) }, this.screens, this.controls.element);
    main.className = 'camera-view';
    fill(main, h('h1.unseen', {}, this.names.join(', ')), this.stage,
      h('section.time', { 'aria-label': t('timeline.label') }, this.controls.when, this.hover, this.timeline.element, this.pictures.element),
      h('aside.panel', { 'aria-label': t('panel.label') }, this.tabs.element));
    this.shell.title(this.names.join(', '));
  }

  #listen() {
    const { signal } = this.#ending;
    const { timeline, steering } = this;
    timeline.addEventListener('scrub', ({ detail }) => (steering.scrub(detail), this.controls.drawTime(detail)));
    timeline.addEventListener('seek', (event) => this.seek(event.detail));
    timeline.addEventListener('window', () => this.#want());
    steering.addEventListener('time', (event) => this.#showTime(event.detail));
    steering.addEventListener('state', () => this.controls.draw());
    steering.addEventListener('why', () => this.askWhy());
    site.addEventListener('states', () => (this.controls.draw(), this.settings?.draw(), steering.notice()), { signal });
    site.addEventListener('happened', (event) => this.#happened(event.detail), { signal });
    for (const record of this.records) record.addEventListener('changed', () => this.day.draw(), { signal });
    this.records[0].addEventListener('cloud', () => this.records[0].cloud.explain(this, signal), { signal });
    document.addEventListener('visibilitychange', () => steering.setHidden(document.hidden), { signal });
    offer(this.#actions());
  }

  #actions() {
    const { steering, timeline } = this;
    return {
      playPause: () => steering.toggle(), pause: () => steering.pause(), backward: () => steering.backward(), forward: () => steering.forward(),
      back5: () => this.seek(timeline.head - 5000), ahead5: () => this.seek(timeline.head + 5000),
      frameBack: () => steering.step(-1), frameAhead: () => steering.step(1),
      previousEvent: () => this.goToEvent(-1), nextEvent: () => this.goToEvent(1),
      begin: () => this.seek(this.day.begin), live: () => this.seek(Infinity),
      zoomIn: () => timeline.zoom(1 / 1.6), zoomOut: () => timeline.zoom(1.6),
      full: () => this.toggleFull(), sound: () => this.toggleSound(), picture: () => this.savePicture(),
      setIn: () => this.choose('from'), setOut: () => this.choose('to'), export: () => this.export(),
      why: () => this.askWhy(), record: () => site.may('operate') && this.record(),
      camera: (count) => this.shell.openCamera(count),
    };
  }

  /// Takes what an address says; false where it is of other cameras.
  follow(parameters) {
    if (parameters.camera !== this.names.join(',')) return false;
    const span = spanOf(parameters.zoom ?? stored('zoom'));
    const at = parse(parameters.t);
    if (span) this.timeline.view = { from: (at ?? Date.now()) - span * (at ? 0.5 : 0.8), span };
    this.seek(at !== undefined && at < Date.now() - 1500 ? at : Infinity, { isNoted: false });
    if (parameters.why !== undefined) this.askWhy();
    this.#want();
    return true;
  }

  async record() {
    (await import('../panels/record-now.js')).recordNow(this.camera);
  }

  /// Goes to a moment, or live.
  seek(at, { isNoted = true } = {}) {
    if (at >= Date.now() - 1000) this.steering.goLive();
    else this.steering.goTo(at);
    this.timeline.put(Math.min(at, Date.now()), at >= Date.now() - 1000);
    this.controls.draw();
    this.day.draw();
    if (isNoted) this.#note(true);
  }

  #showTime(at) {
    if (this.timeline.isScrubbing) return;
    this.timeline.put(at, this.steering.isLive);
    this.controls.drawTime(at);
    this.day.follow(at);
    this.#note();
  }

  // The address follows what is shown, at most once in two seconds.
  #note(isNow = false) {
    if (!isNow && performance.now() - this.#noted < 2000) return;
    this.#noted = performance.now();
    note(this.address());
    store('zoom', spanName(this.timeline.view.span));
  }

  /// The address of what is shown.
  address() {
    const isLive = this.steering.isLive;
    return cameraAddress(this.names.join(','), {
      t: isLive ? undefined : local(Math.floor(this.timeline.head / 1000) * 1000), zoom: spanName(this.timeline.view.span),
    }).replaceAll('%2C', ',');
  }

  #want() {
    const { from, span } = this.timeline.view;
    // Half a window on either side, so that moving finds it there.
    for (const record of this.records) record.want(from - span / 2, from + span * 1.5);
    this.records[0].want(this.day.begin ?? from, (this.day.begin ?? from) + 86_400_000);
  }

  #turn() {
    if (document.hidden) return;
    this.#want();
    this.timeline.redraw();
  }

  #happened(told) {
    if (!this.names.includes(told.camera)) return;
    for (const record of this.records) record.refresh();
    this.#want();
  }

  async goToEvent(direction) {
    const event = await attempt(() => this.records[0].neighbour(this.timeline.head, direction));
    if (event) this.seek(event.from + 1);
    else if (direction > 0) this.seek(Infinity);
    else tell(t('camera.noEvent'));
  }

  async goToDay() {
    const { calendar } = await import('../panels/calendar.js');
    const day = await calendar(this.camera, this.timeline.head);
    if (day === undefined) return;
    this.timeline.zoomTo(86_400_000);
    this.records[0].want(day, day + 86_400_000);
    const begin = (await this.firstMedia(day)) ?? day;
    this.seek(begin);
  }

  /// The first moment of a day that was recorded.
  async firstMedia(day) {
    const record = this.records[0];
    for (let turn = 0; turn < 50 && !record.knows(day, day + 86_400_000); turn += 1) await new Promise((later) => setTimeout(later, 100));
    const at = record.nextMedia(day);
    return at < day + 90_000_000 ? at : undefined;
  }

  // A panel, made when it is first wanted; nothing where the daemon does not answer.
  #panel(name) {
    this.#panels[name] ??= attempt(async () => {
      const panel = new (await PANELS[name]())(this);
      if (this.#ending.signal.aborted) return panel.end();
      this[name] = panel;
      this.#places[name].append(panel.element);
      return panel;
    });
    return this.#panels[name].then((panel) => panel ?? void delete this.#panels[name]);
  }

  async askWhy() {
    this.steering.hold();
    this.tabs.choose('why');
    const at = this.timeline.head;
    (await this.#panel('why'))?.askAt(at);
  }

  choose(side) {
    const { choice, head } = this.timeline;
    choice[side] = head;
    if (choice.from && choice.to && choice.from > choice.to) delete choice[side === 'from' ? 'to' : 'from'];
    this.timeline.redraw();
    this.controls.draw();
  }

  async export() {
    const { exportDialog } = await import('../panels/export.js');
    const { choice, head } = this.timeline;
    const event = this.records[0].eventAt(head);
    const from = choice.from ?? (event ? event.from - 5000 : head - 30_000), to = choice.to ?? (event ? event.to + 5000 : head + 30_000);
    return exportDialog(this.camera, Math.min(from, to), Math.min(Math.max(from, to), Date.now()));
  }

  toggleSound() {
    this.steering.setMuted(!this.steering.isMuted);
    this.controls.draw();
  }

  toggleFull() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.stage.requestFullscreen?.().catch(() => {});
  }

  savePicture() {
    return attempt(async () => {
      const blob = await this.steering.screens[0].picture();
      if (!blob) return tell(t('camera.noPicture'));
      const url = URL.createObjectURL(blob);
      h('a', { href: url, download: `${this.camera} ${local(Math.round(this.timeline.head)).replaceAll(':', '-')}.jpg` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    });
  }

  end() {
    this.#ending.abort();
    clearInterval(this.#timer);
    offer();
    this.steering.end();
    this.timeline.end();
    this.why?.end();
    this.settings?.end();
    this.day.end();
  }
}

