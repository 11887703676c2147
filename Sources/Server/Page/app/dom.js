// Elements are made here alone. Text is always set as text, so nothing that a camera, a policy or a person named is ever markup.

/// An element: `h('button.primary', { onclick, disabled: true }, 'Apply')`. Children are nodes, texts, lists of them, or nothing.
export function h(tag, properties, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name || 'div');
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties ?? {})) set(element, key, value);
  append(element, children);
  return element;
}

/// Sets one property, attribute or listener.
export function set(element, key, value) {
  if (value === undefined || value === null || value === false) element.removeAttribute(key);
  else if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
  else if (key === 'value') element.value = value;
  else element.setAttribute(key, value === true ? '' : value);
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child);
  }
}

/// Replaces what an element holds.
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

// Drawn on a grid of 24 with strokes of 1.75.
const PATHS = {
  wall: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  events: 'M5 6h14M5 12h14M5 18h9',
  policies: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4',
  system: 'M4 17a8 8 0 1 1 16 0M12 17l4-6',
  camera: 'M3 8h11v9H3zM14 11l6-3v9l-6-3',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  previous: 'M18 6l-9 6 9 6zM6 6v12',
  next: 'M6 6l9 6-9 6zM18 6v12',
  stepBack: 'M15 6l-7 6 7 6',
  stepAhead: 'M9 6l7 6-7 6',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  sound: 'M4 9v6h4l5 4V5L8 9zM16.5 9a4 4 0 0 1 0 6',
  mute: 'M4 9v6h4l5 4V5L8 9zM17 9.5l5 5M22 9.5l-5 5',
  picture: 'M4 7h4l1.5-2h5L16 7h4v12H4zM12 16a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  export: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  why: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  record: 'M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  hide: 'M3 12c3-4.5 6-6.500 9-6.500 1.500 0 2.800.4 4 1.100M21 12c-3 4.500-6 6.500-9 6.500-1.500 0-2.800-.4-4-1.100M4 4l16 16',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  day: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  theme: 'M19 14.500A7.500 7.500 0 0 1 9.500 5 7.500 7.500 0 1 0 19 14.500z',
  keys: 'M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8',
  messages: 'M4 5h16v11H9l-5 4z',
  check: 'M5 12l5 5 9-10',
  fit: 'M4 6h16v12H4zM8 10h8v4H8z',
  link: 'M10 14a4 4 0 0 1 0-5.500l2.500-2.500a4 4 0 0 1 5.500 5.500l-1.500 1.500M14 10a4 4 0 0 1 0 5.500l-2.500 2.500a4 4 0 0 1-5.500-5.500l1.500-1.500',
  out: 'M10 5H5v14h5M9 12h11M16 8l4 4-4 4',
  skip: 'M4 7l6 5-6 5zM13 6v12M17 6v12M21 6v12',
  cloud: 'M7.500 18a4 4 0 0 1-.5-7.970 5.500 5.500 0 0 1 10.600 1.100A3.500 3.500 0 0 1 17 18z',
  again: 'M19 12a7 7 0 1 1-2.100-5M19 3.500V7.500h-4',
  away: 'M8 6H5v13h13v-3M12 5h7v7M19 5l-8 8',
  up: 'M6 15l6-7 6 7',
  down: 'M6 9l6 7 6-7',
  home: 'M4 11l8-7 8 7M6 10v10h12V10',
};

/// A drawing that says nothing to a screen reader; what it stands on has a label.
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name] ?? '');
  svg.append(path);
  return svg;
}

/// An SVG element with attributes.
export function shape(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/// A button with a drawing whose words are its label and its tip.
export function iconButton(name, label, onclick, properties = {}) {
  return h('button.icon-button', { type: 'button', 'aria-label': label, title: label, onclick, ...properties }, icon(name));
}

/// Calls `action` at most every `ms` milliseconds, the last call included.
export function paced(ms, action) {
  let timer = 0, last = 0, pending;
  return (...values) => {
    pending = values;
    if (timer) return;
    timer = setTimeout(() => {
      timer = 0;
      last = performance.now();
      action(...pending);
    }, Math.max(0, ms - (performance.now() - last)));
  };
}
