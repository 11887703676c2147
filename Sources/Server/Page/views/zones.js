// Zones and masks drawn on a picture of the camera. Corners are from 0 to 1, whatever the size of the picture. The lines of
// vigil.yaml that differ are shown before they are written.
import { fill, h, icon, shape } from '../app/dom.js';
import { attempt, emptiness, note, refusalLines } from '../app/notices.js';
import { ofCamera, query, read, send } from '../app/requests.js';
import { cameraAddress } from '../app/router.js';
import { site } from '../app/site.js';
import { t } from '../app/words.js';
import { differenceLines } from '../panels/difference.js';
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
    this.image = h('img', { alt: t('zones.picture', { camera }), src: ofCamera(camera, `snapshot${query({ width: 1280, whole: true })}`) });
    this.image.addEventListener('error', () => this.frame.classList.add('is-blank'));
    this.frame = h('div.zone-frame', {}, this.image, this.svg);
    this.list = h('ul.area-list');
    this.help = h('p.quiet', { role: 'status' });
    this.told = h('div', { role: 'alert' });
    this.differs = h('div');
    this.applyButton = h('button.primary', { type: 'button', disabled: true, onclick: () => this.#apply() }, t('zones.apply'));
    const begin = (kind) => h('button', { type: 'button', onclick: () => this.#begin(kind) }, icon('plus'), t(`zones.new.${kind}`));
    this.change = h('section.area-change', { hidden: true }, h('h2', {}, t('zones.change')), this.differs,
      h('p.row', {}, this.applyButton, h('button', { type: 'button', onclick: () => this.#take(this.known) }, t('policy.discard'))));
    main.append(
      h('header.page-head', {}, h('h1', {}, t('zones.title')), h('a', { href: cameraAddress(camera) }, camera)),
      h('div.columns', {},
        h('div', {}, this.frame, this.help, h('p.row', {}, begin('zone'), begin('mask'))),
        h('div', {}, this.list, this.told, this.change)));
    this.svg.addEventListener('pointerdown', (event) => this.#down(event));
    this.svg.addEventListener('pointermove', (event) => this.#move(event));
    this.svg.addEventListener('pointerup', () => (this.#held = undefined));
    this.svg.addEventListener('dblclick', () => this.#finish());
    this.svg.addEventListener('keydown', (event) => this.#key(event));
    this.#draw();
    read(ofCamera(camera, 'areas')).then((known) => this.#take(known), (error) => fill(this.told, refusalLines(error)));
  }

  // Takes zones and masks as vigil.yaml has them, and what was drawn goes.
  #take(known) {
    this.known = known;
    const of = (areas, kind) => areas.map(({ name, corners }) => ({ kind, name, corners: corners.map((corner) => [...corner]) }));
    this.areas = [...of(known.zones, 'zone'), ...of(known.masks, 'mask')];
    this.before = areaLines(this.camera, this.areas);
    this.#drawing = undefined;
    fill(this.told);
    this.#draw();
  }

  #begin(kind) {
    if (this.#drawing) this.#finish();
    let count = 1;
    while (this.areas.some((area) => area.name === `${kind}${count}`)) count += 1;
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

  // Shows what would change in vigil.yaml, and whether it can be.
  #write() {
    if (!this.known) return;
    const after = areaLines(this.camera, this.areas), isOther = after !== this.before;
    this.change.hidden = !isOther;
    if (isOther) fill(this.differs, differenceLines(this.before, after));
    const isGood = this.areas.every((area) => area.name && !isCrossing(area.corners));
    this.applyButton.disabled = !isOther || !isGood || !site.may('administer');
  }

  async #apply() {
    const before = this.known, of = (kind) => this.areas.filter((area) => area.kind === kind).map(({ name, corners }) => ({ name, corners }));
    this.applyButton.disabled = true;
    const set = (zones, masks, revision) => send('PUT', ofCamera(this.camera, 'areas'), { zones, masks, expectedRevision: revision });
    try {
      const known = await set(of('zone'), of('mask'), before.revision);
      this.#take(known);
      note(t('zones.applied', { path: known.path }), {
        action: t('undo'), act: () => attempt(async () => this.#take(await set(before.zones, before.masks, known.revision))),
      });
    } catch (error) {
      fill(this.told, refusalLines(error));
      this.#write();
    }
  }
}
