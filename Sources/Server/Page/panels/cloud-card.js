// Cloud storage at a glance: the store, what lies there, the plan of each camera.
import { fill, h, icon, paced } from '../app/dom.js';
import { attempt, refusalLines, sentence, waiting } from '../app/notices.js';
import { query, read, send } from '../app/requests.js';
import { site } from '../app/site.js';
import { t } from '../app/words.js';
import { planGroups, reasonParts } from '../app/cloud.js';
import { heldLine, howTo, planCard, queueLink } from './cloud-plan.js';

// News that take longer come with the journal, or with the next turn.
const ANSWER_MS = 10_000, EVERY_MS = 1000;

export class CloudCard {
  #isAsking = false;
  #status = undefined;
  #shown = '';

  /// `camera`: of this one alone, and nothing at all where no cloud is configured.
  constructor(signal, camera) {
    this.signal = signal;
    this.camera = camera;
    this.element = h('div.cloud-card', {}, camera ? undefined : waiting(t('timeline.loading')));
    const soon = paced(1000, () => this.load());
    site.addEventListener('happened', ({ detail }) => /^(plan|store|upload|remote|cloud)/.test(detail.kind ?? '') && soon(), { signal });
    site.addEventListener('status', soon, { signal });
    this.load();
  }

  /// Asks what there is to tell, and shows it where it is something else.
  async load() {
    try {
      this.#show(await read(`/v1/cloud${query({ camera: this.camera })}`, { signal: this.signal }));
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.#shown = '';
      fill(this.element, refusalLines(error));
    }
  }

  #show(status) {
    this.#status = status;
    // Distances of time are told in minutes.
    const shown = JSON.stringify([status, this.#isAsking, Math.floor(Date.now() / 60_000)]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = this.element.contains(document.activeElement) && document.activeElement.dataset.keep;
    fill(this.element, this.camera ? this.#ofCamera(status) : this.#ofSite(status));
    if (focused) this.element.querySelector(`[data-keep="${focused}"]`)?.focus({ preventScroll: true });
  }

  #ofSite({ store, why, provider, encryption, cameras }) {
    if (!store && !why) return [howTo(), cameras.length > 0 && this.#plans(cameras, provider)];
    return [
      heldLine(cameras),
      store && h('p.quiet', {}, t('cloud.store'), ' ', h('code', {}, store)),
      encryption?.keyId && h('p.quiet', {}, t('cloud.encryptedWith'), ' ', h('code', {}, encryption.keyId)),
      this.#trouble(why),
      provider && h('p.quiet', {}, t('cloud.provider'), ' ', h('code', {}, provider)),
      cameras.length ? this.#plans(cameras, provider) : h('p', {}, t('cloud.nobody'), ' ', h('a', { href: '/policies' }, t('place.policies'))),
      h('p.row', {}, queueLink(), this.#refreshButton(provider && cameras.length)),
    ];
  }

  #ofCamera({ store, why, provider, cameras }) {
    if (!store && !why && !cameras.length) return undefined;
    return h('section', {}, h('h3', {}, t('cloud.title')), this.#trouble(why),
      cameras.length ? this.#plans(cameras, provider) : h('p.quiet', {}, t('cloud.cameraSendsNothing')),
      h('p.row', {}, queueLink(this.camera), this.#refreshButton(provider && cameras.length)));
  }

  #plans(cameras, provider) {
    return h('ul.plans', { 'aria-label': t('cloud.plans') }, planGroups(cameras).map((plan) => planCard(plan, Boolean(provider))));
  }

  #trouble(why) {
    if (!why) return undefined;
    const { reason, remedy } = reasonParts(why);
    return h('div.trouble', { role: 'status' }, icon('cloud'), h('div', {}, h('strong', {}, t('cloud.nothingSent')), h('p', {}, sentence(reason)), remedy && h('p.quiet', {}, sentence(remedy))));
  }

  #refreshButton(isOffered) {
    return isOffered && site.may('operate') && h('button', { type: 'button', 'data-keep': 'refresh', 'aria-disabled': String(this.#isAsking), onclick: () => this.#refresh() },
      icon('again'), t(this.#isAsking ? 'cloud.asking' : 'cloud.refresh'));
  }

  // The answer is what was known before the provider's: the news come a moment later.
  #refresh() {
    if (this.#isAsking) return undefined;
    const before = this.#told();
    return attempt(async () => {
      this.#isAsking = true;
      try {
        this.#show(await send('POST', `/v1/cloud/refresh${query({ camera: this.camera })}`, undefined));
        for (const end = performance.now() + ANSWER_MS; performance.now() < end && !this.signal.aborted && this.#told() === before;) {
          await new Promise((later) => setTimeout(later, EVERY_MS));
          await this.load();
        }
      } finally {
        this.#isAsking = false;
        if (!this.signal.aborted && this.#status) this.#show(this.#status);
      }
    });
  }

  // What an answer of the provider changes.
  #told() {
    return JSON.stringify((this.#status?.cameras ?? []).map(({ loaded, why, state }) => [loaded, why, state]));
  }
}
