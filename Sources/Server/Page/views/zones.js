// Zones and masks drawn on a picture of the camera. Corners are from 0 to 1, whatever the size of the picture; the lines for
// vigil.yaml stand below, since no request changes that file.
import { fill, h, icon, shape } from '../app/dom.js';
import { attempt, emptiness, note } from '../app/notices.js';
import { ofCamera, query, send } from '../app/requests.js';
import { cameraAddress } from '../app/router.js';
import { site } from '../app/site.js';
import { t } from '../app/words.js';
import { areaLines, isCrossing, nearestCorner, rounded } from './areas.js';

const NEAR = 0.025, CORNERS = 32;

export function open(main, parameters, shell) {
  shell.title(`${t('zones.title')} ${parameters.camera}`);
  main.className = 'page zones-view';
  if (!site.states.has(parameters.camera)) {
    main.append(emptiness('camera', t('camera.unknown', { camera: parameters.camera })));
    return {};
  }
  return new ZonesView(main, parameters.camera);
}

class ZonesView {
  areas = [];
  #drawing = undefined;
  #held = undefined;

  constructor(main, camera) {
    this.camera = camera;
    this.svg = shape('svg', { viewBox: '0 0 1 1', preserveAspectRatio: 'none', role: 'application', 'aria-label': t('zones.drawing'), tabindex: '0' });
    this.image = h('img', { alt: t('zones.picture', { camera }), src: ofCamera(camera, `snapshot${query({ width: 1280 })}`) });
    this.image.addEventListener('error', () => this.frame.classList.add('is-blank'));
    this.frame = h('div.zone-frame', {}, this.image, this.svg);
    this.list = h('ul.area-list');
    this.help = h('p.quiet', { role: 'status' });
    this.lines = h('pre.code', { tabindex: '0', 'aria-label': t('zones.lines') });
    const begin = (kind) => h('button', { type: 'button', onclick: () => this.#begin(kind) }, icon('plus'), t(`zones.new.${kind}`));
    main.append(
      h('header.page-head', {}, h('h1', {}, t('zones.title')), h('a', { href: cameraAddress(camera) }, camera)),
      h('div.columns', {},
        h('div', {}, this.frame, this.help, h('p.row', {}, begin('zone'), begin('mask'))),
        h('div', {}, this.list, h('section', { hidden: true }, h('h2', {}, t('zones.lines')), h('p.quiet', {}, t('zones.how')), this.lines,
          h('p.row', {}, h('button', { type: 'button', onclick: () => this.#copy() }, t('zones.copy')),
            h('button', { type: 'button', disabled: !site.may('administer'), onclick: () => this.#reload() }, t('zones.reload')))))));
    this.svg.addEventListener('pointerdown', (event) => this.#down(event));
    this.svg.addEventListener('pointermove', (event) => this.#move(event));
    this.svg.addEventListener('pointerup', () => (this.#held = undefined));
    this.svg.addEventListener('dblclick', () => this.#finish());
    this.svg.addEventListener('keydown', (event) => this.#key(event));
    this.#draw();
  }

  #begin(kind) {
    if (this.#drawing) this.#finish();
    const count = this.areas.filter((area) => area.kind === kind).length + 1;
    this.#drawing = { kind, name: `${kind}${count}`, corners: [], cursor: [0.5, 0.5] };
    this.svg.focus();
    this.#draw();
  }

  #place(event) {
    const box = this.svg.getBoundingClientRect();
    return [rounded((event.clientX - box.left) / box.width), rounded((event.clientY - box.top) / box.height)];
  }

  #down(event) {
    const place = this.#place(event);
    if (!this.#drawing) {
      this.#held = this.areas.flatMap((area) => area.corners.map((corner, index) => ({ area, index, far: Math.hypot(corner[0] - place[0], corner[1] - place[1]) })))
        .filter((one) => one.far < 2 * NEAR).sort((a, b) => a.far - b.far)[0];
      if (this.#held) this.svg.setPointerCapture(event.pointerId);
      return;
    }
    this.#add(place);
  }

  #add(place) {
    const { corners } = this.#drawing;
    if (corners.length > 2 && nearestCorner([corners[0]], place) < NEAR) return this.#finish();
    if (corners.length && nearestCorner(corners, place) < 0.004) return undefined;
    corners.push(place);
    if (corners.length >= CORNERS) return this.#finish();
    return this.#draw();
  }

  #move(event) {
    if (this.#held) {
      this.#held.area.corners[this.#held.index] = this.#place(event);
      this.#draw();
    } else if (this.#drawing) {
      this.#drawing.cursor = this.#place(event);
      this.#drawShapes();
    }
  }

  // By keys: arrows move the cursor, Enter sets a corner, Escape ends.
  #key(event) {
    if (!this.#drawing) return;
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const step = event.shiftKey ? 0.1 : 0.02;
    if (by) this.#drawing.cursor = this.#drawing.cursor.map((value, axis) => rounded(value + by[axis] * step));
    else if (event.key === 'Enter') this.#add([...this.#drawing.cursor]);
    else if (event.key === 'Backspace') this.#drawing.corners.pop();
    else if (event.key === 'Escape') this.#finish();
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (this.#drawing) this.#draw();
  }

  #finish() {
    const drawing = this.#drawing;
    this.#drawing = undefined;
    if (drawing?.corners.length > 2) this.areas.push({ kind: drawing.kind, name: drawing.name, corners: drawing.corners });
    this.#draw();
    this.list.querySelector('li:last-child input')?.focus();
  }

  #drawShapes() {
    const all = this.#drawing ? [...this.areas, this.#drawing] : this.areas;
    this.svg.replaceChildren(...all.flatMap((area) => {
      const points = [...area.corners, ...(area.cursor ? [area.cursor] : [])];
      const outline = shape('polygon', { class: `area ${area.kind}${isCrossing(area.corners) ? ' is-wrong' : ''}`, points: points.map((point) => point.join(',')).join(' ') });
      return [outline, ...points.map((point) => shape('line', { class: `corner${point === area.cursor ? ' cursor' : ''}`, x1: point[0], y1: point[1], x2: point[0], y2: point[1] }))];
    }));
  }

  #draw() {
    this.#drawShapes();
    this.help.textContent = t(this.#drawing ? 'zones.helpDrawing' : this.areas.length ? 'zones.helpMove' : 'zones.help');
    fill(this.list, this.areas.map((area) => h('li.card', { 'data-kind': area.kind },
      h('label.field', {}, h('span', {}, t(`zones.${area.kind}`)), h('input', { value: area.name, maxlength: 64, pattern: '[a-z0-9][a-z0-9_\\-]*', oninput: (event) => ((area.name = event.currentTarget.value), this.#write()) })),
      isCrossing(area.corners) && h('p.alarm', {}, t('zones.crossing')),
      h('button', { type: 'button', onclick: () => ((this.areas = this.areas.filter((one) => one !== area)), this.#draw()) }, t('zones.remove')))));
    this.#write();
  }

  #write() {
    this.lines.textContent = areaLines(this.camera, this.areas);
    this.lines.closest('section').hidden = !this.areas.length;
  }

  #copy() {
    return attempt(async () => {
      await navigator.clipboard.writeText(this.lines.textContent);
      note(t('zones.copied'));
    });
  }

  #reload() {
    return attempt(async () => {
      const { changed } = await send('POST', '/v1/reload');
      note(changed?.length ? t('zones.reloaded', { changed: changed.join(', ') }) : t('zones.unchanged'));
    });
  }
}
