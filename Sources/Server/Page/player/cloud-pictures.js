// The pictures of events that come from the store, two at a time: a store that is slow or away holds up nothing else of the page.
// It knows whether the store answers.
import { h } from '../app/dom.js';
import { ask } from '../app/requests.js';
import { t } from '../app/words.js';

const AT_ONCE = 2, PATIENCE = 8000, AGAIN = 8000;

class CloudPictures extends EventTarget {
  isAway = false;
  #paths = new WeakMap();
  #waiting = new Set();
  #loading = 0;
  #timer = 0;
  #near = new IntersectionObserver((entries) => entries.forEach((entry) => entry.isIntersecting && this.#want(entry.target)), { rootMargin: '200px' });

  /// An image whose picture is asked for when it is near the window, and again while the store does not answer.
  image(path) {
    const image = h('img', { alt: '' });
    this.#paths.set(image, path);
    this.#near.observe(image);
    return image;
  }

  #want(image) {
    this.#near.unobserve(image);
    this.#waiting.add(image);
    this.#go();
  }

  #go() {
    for (const image of this.#waiting) if (!image.isConnected) this.#waiting.delete(image);
    if (!this.#waiting.size && !this.#loading) this.#tell(false);
    // While the store is away one picture after the other finds out whether it is back.
    for (const image of this.#waiting) {
      if (this.#loading >= (this.isAway ? 1 : AT_ONCE)) return;
      this.#waiting.delete(image);
      this.#load(image);
    }
  }

  async #load(image) {
    const ending = new AbortController(), timer = setTimeout(() => ending.abort(), PATIENCE);
    this.#loading += 1;
    let isAway = false;
    try {
      const url = URL.createObjectURL(await (await ask(this.#paths.get(image), { signal: ending.signal })).blob());
      image.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
      image.addEventListener('error', () => image.classList.add('is-missing'), { once: true });
      image.src = url;
      image.classList.remove('is-missing');
    } catch (error) {
      image.classList.add('is-missing');
      isAway = error.status !== 404;
      if (isAway) this.#waiting.add(image);
    }
    clearTimeout(timer);
    this.#loading -= 1;
    this.#tell(isAway);
    clearTimeout(this.#timer);
    if (isAway) this.#timer = setTimeout(() => this.#go(), AGAIN);
    else this.#go();
  }

  #tell(isAway) {
    if (isAway === this.isAway) return;
    this.isAway = isAway;
    this.dispatchEvent(new Event('answer'));
  }
}

/// The pictures of the page.
export const cloudPictures = new CloudPictures();

/// One line that says that the cloud does not answer, while it does not. `refusal()` is what the daemon refused besides.
export function cloudLine(signal, refusal = () => undefined) {
  const line = h('p.cloud-line', { role: 'status', hidden: true });
  const draw = () => {
    const words = cloudPictures.isAway ? t('past.away') : refusal() ? t('past.unknown') : '';
    if (line.textContent !== words) line.textContent = words;
    line.hidden = !words;
  };
  cloudPictures.addEventListener('answer', draw, { signal });
  draw();
  return { line, draw };
}
