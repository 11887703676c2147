// A preview of an event that plays while a pointer or a finger rests on its picture: some pictures of it, one after the other.
import { h } from '../app/dom.js';
import { pictureAddress } from './stills.js';

const PICTURES = 6, EACH = 450, REST = 350;

/// Makes an event's row play its preview.
export function startPreview(row, event) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const place = row.querySelector('.thumb');
  let timer = 0, image, turn = 0;
  const stop = () => {
    clearTimeout(timer);
    turn += 1;
    image?.remove();
    image = undefined;
  };
  const play = async (mine, index) => {
    const at = event.from + ((event.to - event.from) * (index + 0.5)) / PICTURES;
    const next = h('img.preview', { alt: '', src: pictureAddress(event.camera, at, 320) });
    await next.decode().catch(() => {});
    if (mine !== turn || !next.naturalWidth) return;
    image?.remove();
    image = next;
    place.append(next);
    timer = setTimeout(() => play(mine, (index + 1) % PICTURES), EACH);
  };
  row.addEventListener('pointerenter', (entered) => {
    turn += 1;
    const mine = turn;
    timer = setTimeout(() => play(mine, 0), entered.pointerType === 'mouse' ? REST : 2 * REST);
  });
  for (const kind of ['pointerleave', 'pointercancel']) row.addEventListener(kind, stop);
}
