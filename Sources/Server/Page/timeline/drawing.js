// Draws the timeline on a canvas: coverage, events, motion, lines, the play head, what is chosen for an export.
import { colour } from '../app/theme.js';
import { DAY, dayName, dayStart } from '../app/time.js';
import { EVENTS_MOST } from './record.js';
import { columns, lines, placeOf, within } from './geometry.js';

/// The bands from above: the text of the lines, coverage, what only the cloud has where there is a cloud, events.
export const BANDS = { text: 20, coverage: 12, cloud: 10, events: 28, gap: 4 };

const LABELS = ['recorded', 'idle', 'blind', 'offByPolicy', 'offBySchedule', 'disabled', 'privacy', 'linkLost', 'storage', 'recorderDown', 'deleted', 'notConfigured'];
let ink = {};
let patterns = {};

/// Reads the colours anew; for a change of theme.
export function readColours() {
  const names = ['ground', 'surface', 'ink', 'quiet', 'line', 'accent', 'live', 'event', 'strong', 'choice'];
  ink = Object.fromEntries(names.map((name) => [name, colour(`--${name}`)]));
  ink.label = Object.fromEntries(LABELS.map((label) => [label, colour(`--label-${label}`)]));
  patterns = {};
}

/// The pattern of a label, made once for each theme.
function pattern(context, label) {
  if (patterns[label]) return patterns[label];
  const size = 8, tile = new OffscreenCanvas(size, size), pen = tile.getContext('2d');
  pen.strokeStyle = pen.fillStyle = ink.label[label];
  pen.lineWidth = 1.75;
  const stroke = (...points) => {
    pen.beginPath();
    for (let index = 0; index < points.length; index += 4) {
      pen.moveTo(points[index], points[index + 1]);
      pen.lineTo(points[index + 2], points[index + 3]);
    }
    pen.stroke();
  };
  if (label === 'blind') {
    for (const [x, y] of [[2, 2], [6, 6]]) pen.fillRect(x - 1, y - 1, 2, 2);
  } else if (label === 'recorderDown') stroke(-2, 10, 10, -2, -2, -2, 10, 10);
  else if (label === 'privacy') stroke(-2, 10, 10, -2, -2, 2, 2, -2, 6, 10, 10, 6);
  else if (label === 'linkLost') stroke(-2, -2, 10, 10, 6, -2, 10, 2, -2, 6, 2, 10);
  patterns[label] = context.createPattern(tile, 'repeat');
  return patterns[label];
}

/// Fills one stretch of coverage as its label is drawn.
export function drawLabel(context, label, x, y, width, height) {
  if (!ink.label) readColours();
  switch (label) {
    case 'recorded': case 'storage':
      context.fillStyle = ink.label[label];
      context.fillRect(x, y, width, height);
      break;
    case 'idle':
      context.fillStyle = ink.label.idle;
      context.fillRect(x, y + height / 2 - 0.5, width, 1.5);
      break;
    case 'offByPolicy': case 'offBySchedule': case 'disabled': case 'deleted':
      context.strokeStyle = ink.label[label];
      context.lineWidth = 1;
      if (width > 2) context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
      else context.fillRect(x, y, width, 1);
      break;
    case 'blind': case 'recorderDown': case 'privacy': case 'linkLost':
      context.fillStyle = pattern(context, label);
      context.fillRect(x, y, width, height);
      break;
    default:
  }
}

/// Draws everything. `scene` is `{ view, width, records, head, now, choice, hover, isLive }`; each record has a band.
export function draw(context, scene) {
  if (!ink.label) readColours();
  const { view, width } = scene;
  const height = heightOf(scene.records);
  context.clearRect(0, 0, width, height);
  const nowAt = placeOf(view, width, scene.now);
  if (nowAt < width) {
    context.fillStyle = ink.ground;
    context.fillRect(Math.max(0, nowAt), BANDS.text, width - Math.max(0, nowAt), height - BANDS.text);
  }
  drawLines(context, scene, height);
  const each = rowOf(scene.records);
  scene.records.forEach((record, index) => drawRecord(context, scene, record, BANDS.text + index * each, each));
  drawChoice(context, scene, height);
  drawHead(context, scene, height);
}

/// The height for some cameras.
export const heightOf = (records) => BANDS.text + Math.max(1, records.length) * rowOf(records);

// The height of one camera. Those of a view have the same.
const rowOf = (records) => BANDS.coverage + (records.some((record) => record.cloud) ? BANDS.cloud : BANDS.gap) + BANDS.events + BANDS.gap;

function drawLines(context, { view, width }, height) {
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = 'middle';
  let free = -Infinity;
  const all = lines(view, width, view.span > 2 * DAY ? 72 : 64);
  for (const line of all) {
    const x = Math.round(placeOf(view, width, line.at)) + 0.5;
    context.strokeStyle = ink.line;
    context.globalAlpha = line.isDay ? 1 : 0.55;
    context.beginPath();
    context.moveTo(x, line.isDay ? 2 : BANDS.text);
    context.lineTo(x, height);
    context.stroke();
    context.globalAlpha = 1;
    const room = context.measureText(line.text).width;
    if (x < free || x + room > width) continue;
    context.fillStyle = line.isDay ? ink.ink : ink.quiet;
    context.fillText(line.text, x + 4, BANDS.text / 2);
    free = x + room + 12;
  }
}

function drawRecord(context, { view, width, records }, record, top, tall) {
  for (const column of columns(within(record.coverage, view.from, view.from + view.span), view, width)) {
    drawLabel(context, column.label, column.x, top, column.width, BANDS.coverage);
  }
  const base = top + tall - BANDS.gap;
  record.cloud?.draw(context, view, width, top + BANDS.coverage + 2);
  if (view.span > EVENTS_MOST) {
    drawHeat(context, view, width, record, base - BANDS.events);
    return;
  }
  for (const event of within(record.events, view.from, view.from + view.span)) {
    const x = placeOf(view, width, event.from), end = placeOf(view, width, event.to);
    const height = { 1: BANDS.events, 5: BANDS.events * 0.68, 10: BANDS.events * 0.4 }[event.level] ?? BANDS.events;
    const left = Math.max(-4, x), wide = Math.max(3, Math.min(width + 4, end) - left);
    context.fillStyle = event.cause === 'detection' ? ink.event : ink.strong;
    context.globalAlpha = event.seen === true ? 0.55 : 0.95;
    context.beginPath();
    context.roundRect(left, base - height, wide, height, Math.min(3, wide / 2));
    context.fill();
    context.globalAlpha = 1;
    if (event.cloud) continue;
    context.fillStyle = ink.label.recorded;
    context.fillRect(Math.max(0, left), top, wide, 3);
  }
  if (records.length > 1) drawName(context, record.camera, base - BANDS.events / 2);
}

// Of several cameras each band has its name.
function drawName(context, name, middle) {
  context.fillStyle = ink.surface;
  context.globalAlpha = 0.85;
  context.fillRect(4, middle - 9, context.measureText(name).width + 8, 18);
  context.globalAlpha = 1;
  context.fillStyle = ink.ink;
  context.textBaseline = 'middle';
  context.fillText(name, 8, middle);
}

// Of many days each is shaded by how much moved in it.
function drawHeat(context, view, width, record, top) {
  const most = Math.max(4, ...[...record.days.values()].map((day) => day.events));
  context.fillStyle = ink.event;
  for (let start = dayStart(view.from); start < view.from + view.span; start = dayStart(start, 1)) {
    const events = record.days.get(dayName(start))?.events;
    if (!events) continue;
    const x = placeOf(view, width, start), wide = placeOf(view, width, dayStart(start, 1)) - x;
    context.globalAlpha = 0.2 + 0.8 * (events / most);
    context.fillRect(x + 1, top, Math.max(1, wide - 2), BANDS.events);
  }
  context.globalAlpha = 1;
}

function drawChoice(context, { view, width, choice }, height) {
  if (!choice?.from && !choice?.to) return;
  const x = choice.from ? placeOf(view, width, choice.from) : 0, end = choice.to ? placeOf(view, width, choice.to) : width;
  context.fillStyle = ink.choice;
  context.fillRect(x, BANDS.text - 2, Math.max(2, end - x), height - BANDS.text + 2);
  context.fillStyle = ink.accent;
  if (choice.from) context.fillRect(x, BANDS.text - 2, 2, height);
  if (choice.to) context.fillRect(end - 2, BANDS.text - 2, 2, height);
}

function drawHead(context, { view, width, head, now, isLive, hover }, height) {
  const nowAt = placeOf(view, width, now);
  context.fillStyle = ink.live;
  if (nowAt >= 0 && nowAt <= width) context.fillRect(Math.min(width - 1, nowAt), BANDS.text - 4, 1, height);
  if (hover !== undefined) {
    context.fillStyle = ink.quiet;
    context.globalAlpha = 0.6;
    context.fillRect(Math.round(hover), BANDS.text - 4, 1, height);
    context.globalAlpha = 1;
  }
  const x = placeOf(view, width, head);
  if (x < -8 || x > width + 8) return;
  context.fillStyle = isLive ? ink.live : ink.ink;
  context.fillRect(Math.round(x) - 1, BANDS.text - 6, 2, height);
  context.beginPath();
  context.roundRect(Math.round(x) - 6, BANDS.text - 8, 12, 8, 3);
  context.fill();
}
