// Dark and light: the browser's wish, or what was chosen here; and the style sheets of views.
import { h } from './dom.js';
import { store, stored } from './words.js';

export const THEMES = ['auto', 'light', 'dark'];

/// The theme that was chosen.
export const theme = () => (THEMES.includes(stored('theme')) ? stored('theme') : 'auto');

/// Puts the chosen theme on the page.
export function applyTheme() {
  document.documentElement.dataset.theme = theme();
  dispatchEvent(new Event('theme'));
}

/// Chooses a theme.
export function chooseTheme(name) {
  store('theme', name === 'auto' ? undefined : name);
  applyTheme();
}

const probe = document.createElement('i');

/// The colour that a property of the style sheet has now, as a canvas takes it.
export function colour(name) {
  if (!probe.isConnected) {
    probe.hidden = true;
    document.documentElement.append(probe);
  }
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

const sheets = new Map();

/// Loads a style sheet, once; done when it holds. That of the camera stands before that of the other views, whichever came first.
export function loadStyle(name) {
  if (!sheets.has(name)) {
    sheets.set(name, new Promise((done, failed) => {
      const link = h('link', { rel: 'stylesheet', href: `/styles/${name}.css`, 'data-sheet': name, onload: done,
        onerror: () => (sheets.delete(name), link.remove(), failed(new Error(`the styles of the page (${name}) cannot be read`))) });
      document.head.insertBefore(link, name === 'camera' ? document.head.querySelector('[data-sheet="views"]') : null);
    }));
  }
  return sheets.get(name);
}
