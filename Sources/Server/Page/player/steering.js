// One hand on several screens: the first leads, the others are kept at the same moment.
import { connection } from '../app/requests.js';
import { Screen } from './screen.js';

const APART = 100, FAR = 1500, SKIM = 250;

export class Steering extends EventTarget {
  isMuted = true;
  speed = 1;
  skipsHoles = false;
  #timer = 0;
  #ending = new AbortController();
  #skim = 0;
  #skimming = 0;
  #hidden = undefined;

  constructor(names, records) {
    super();
    this.screens = names.map((name, index) => new Screen(name, records[index], names.length === 1));
    const [lead] = this.screens;
    lead.addEventListener('time', (event) => this.dispatchEvent(new CustomEvent('time', { detail: event.detail })));
    lead.addEventListener('caughtUp', () => this.goLive());
    for (const screen of this.screens) {
      screen.addEventListener('state', () => this.dispatchEvent(new Event('state')));
      screen.addEventListener('why', () => this.dispatchEvent(new Event('why')));
    }
    connection.addEventListener('answered', () => this.screens.forEach((screen) => screen.retry()), { signal: this.#ending.signal });
    if (this.screens.length > 1) this.#timer = setInterval(() => this.#keepTogether(), 500);
  }

  end() {
    this.#ending.abort();
    clearInterval(this.#timer);
    this.#stopSkimming();
    for (const screen of this.screens) screen.end();
  }

  get lead() {
    return this.screens[0];
  }

  get isLive() {
    return this.lead.isLive;
  }

  get isPlaying() {
    return this.lead.isPlaying || this.#skimming !== 0;
  }

  get time() {
    return this.lead.time;
  }

  #each(action) {
    this.screens.forEach(action);
    this.dispatchEvent(new Event('state'));
  }

  goLive() {
    this.#stopSkimming();
    this.speed = 1;
    this.#each((screen) => (screen.setSpeed(1), screen.goLive()));
  }

  goTo(at, isPlaying = this.lead.time === undefined || this.#playsOn()) {
    this.#stopSkimming();
    this.#each((screen) => screen.goTo(at, isPlaying));
  }

  #playsOn() {
    const { lead } = this;
    return lead.isScrubbed ? lead.playsOn : lead.isPlaying;
  }

  scrub(at) {
    this.#stopSkimming();
    for (const screen of this.screens) screen.scrub(at);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play() {
    this.#stopSkimming();
    this.#each((screen) => screen.play());
  }

  pause() {
    this.#stopSkimming();
    this.#each((screen) => screen.pause());
  }

  /// Looks at the cameras' states anew.
  notice() {
    for (const screen of this.screens) screen.notice();
  }

  /// Stops the past where it is; what is live goes on.
  hold() {
    if (!this.isLive) this.pause();
  }

  /// Forward, again: faster.
  forward() {
    if (this.isLive) return;
    if (!this.isPlaying || this.#skimming) this.setSpeed(1);
    else this.setSpeed(Math.min(16, this.speed < 1 ? 1 : this.speed * 2));
    this.play();
  }

  /// Backward by pictures, again: faster.
  backward() {
    const speed = Math.min(16, this.#skimming ? this.#skimming * 2 : 1);
    const at = this.time;
    this.#each((screen) => (screen.isLive ? screen.goTo(at - 2000, false) : screen.pause()));
    this.#stopSkimming();
    this.#skimming = speed;
    let place = at;
    this.#skim = setInterval(() => {
      place -= SKIM * speed * 2;
      for (const screen of this.screens) screen.goTo(place, false);
    }, SKIM * 2);
  }

  #stopSkimming() {
    clearInterval(this.#skim);
    this.#skimming = 0;
  }

  setSpeed(speed) {
    this.speed = speed;
    this.#each((screen) => screen.setSpeed(speed));
  }

  setSkipping(isSkipping) {
    this.skipsHoles = isSkipping;
    this.#each((screen) => screen.setSkipping(isSkipping));
  }

  setMuted(isMuted) {
    this.isMuted = isMuted;
    this.lead.setMuted(isMuted);
  }

  step(direction) {
    this.#stopSkimming();
    this.#each((screen) => screen.step(direction));
  }

  /// A hidden page shows nothing live; it goes on when it is seen again, at the same moment.
  setHidden(isHidden) {
    if (isHidden) {
      this.#hidden = { isLive: this.isLive, isPlaying: this.isPlaying };
      this.#stopSkimming();
      for (const screen of this.screens) screen.rest();
    } else if (this.#hidden) {
      const { isLive, isPlaying } = this.#hidden;
      this.#hidden = undefined;
      if (isLive) this.goLive();
      else if (isPlaying) this.play();
    }
  }

  #keepTogether() {
    const at = this.lead.time;
    if (this.isLive || at === undefined || this.lead.state !== 'playing') return;
    for (const screen of this.screens.slice(1)) {
      if (screen.state !== 'playing') continue;
      const apart = at - screen.time;
      if (Math.abs(apart) > FAR) screen.goTo(at, true);
      else if (Math.abs(apart) > APART) screen.video.currentTime += apart / 1000;
    }
  }
}
