// Choosing the part of a picture that is shown, on the whole picture: three sliders, or a hand that takes it along.
import { h } from '../app/dom.js';
import { dialog } from '../app/notices.js';
import { ofCamera, query } from '../app/requests.js';
import { t } from '../app/words.js';

const LEAST = 10;

/// The part in percent, `{ size, left, top }`, as the daemon writes it.
export const viewportText = ({ size, left, top }) => [left, top, left + size, top + size].map((edge) => String(edge / 100)).join(',');

/// The part that a text of the daemon names, in percent.
export function viewportParts(text) {
  const [x1, y1, x2] = text.split(',').map((edge) => Math.round(100 * Number(edge)));
  return fitted({ size: x2 - x1, left: x1, top: y1 });
}

/// The same part inside of the picture.
export function fitted({ size, left, top }) {
  const side = Math.min(100, Math.max(LEAST, size)), inside = (edge) => Math.min(100 - side, Math.max(0, Math.round(edge)));
  return { size: side, left: inside(left), top: inside(top) };
}

/// Asks which part is shown. Gives it as the daemon writes it, `default` for the whole picture, nothing where nothing was chosen.
export function chooseViewport(camera, value) {
  return dialog(t('own.viewport'), (close) => new Choice(camera, viewportParts(value), close).elements, { isWide: true });
}

class Choice {
  constructor(camera, part, close) {
    this.part = part;
    this.image = h('img', { alt: t('own.viewport.picture', { camera }), src: ofCamera(camera, `live.jpg${query({ width: 1280, whole: true })}`) });
    this.image.addEventListener('error', () => (this.image.src = ofCamera(camera, `snapshot${query({ width: 1280, whole: true })}`)), { once: true });
    this.shown = h('div.part-shown');
    this.picture = h('div.part-picture', {}, this.image, this.shown);
    this.sliders = Object.fromEntries(['size', 'left', 'top'].map((name) => [name,
      h('input', { type: 'range', step: 1, oninput: (event) => this.#take({ ...this.part, [name]: Number(event.currentTarget.value) }) })]));
    this.picture.addEventListener('pointerdown', (event) => (this.picture.setPointerCapture(event.pointerId), this.#carry(event)));
    this.picture.addEventListener('pointermove', (event) => event.buttons && this.#carry(event));
    this.elements = [h('p.quiet', {}, t('own.viewport.help')), this.picture,
      h('div.part-sliders', {}, Object.entries(this.sliders).map(([name, slider]) => h('label.field', {}, h('span', {}, t(`own.viewport.${name}`)), slider))),
      h('footer', {}, h('button', { type: 'button', onclick: () => close('default') }, t('own.viewport.all')),
        h('button.primary', { type: 'button', onclick: () => close(this.part.size === 100 ? 'default' : viewportText(this.part)) }, t('own.viewport.show')))];
    this.#take(part);
  }

  // The middle of the part goes where the hand is.
  #carry(event) {
    const box = this.picture.getBoundingClientRect(), { size } = this.part;
    this.#take({ size, left: (100 * (event.clientX - box.left)) / box.width - size / 2, top: (100 * (event.clientY - box.top)) / box.height - size / 2 });
  }

  #take(part) {
    this.part = fitted(part);
    const { size, left, top } = this.part;
    Object.assign(this.shown.style, { left: `${left}%`, top: `${top}%`, width: `${size}%`, height: `${size}%` });
    for (const [name, slider] of Object.entries(this.sliders)) {
      Object.assign(slider, name === 'size' ? { min: LEAST, max: 100 } : { min: 0, max: 100 - size });
      slider.value = this.part[name];
      slider.setAttribute('aria-valuetext', `${this.part[name]} %`);
    }
  }
}
