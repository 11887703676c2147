// Dark and light: the browser's wish, or what was chosen here.
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
