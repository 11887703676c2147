// Keys: a view offers actions by name, and the keys call them. The list of keys is made from the same table.
import { t } from './words.js';

// Key, action, and how the key is written where its name is no sign.
export const KEYS = [
  [' ', 'playPause', 'space'], ['j', 'backward', 'J'], ['k', 'pause', 'K'], ['l', 'forward', 'L'],
  ['ArrowLeft', 'back5', '←'], ['ArrowRight', 'ahead5', '→'],
  ['Shift+ArrowLeft', 'frameBack', '⇧ ←'], ['Shift+ArrowRight', 'frameAhead', '⇧ →'],
  ['[', 'previousEvent'], [']', 'nextEvent'], ['Home', 'begin', 'Home'], ['End', 'live', 'End'],
  ['+', 'zoomIn'], ['-', 'zoomOut'], ['=', 'zoomIn', null],
  ['f', 'full', 'F'], ['m', 'sound', 'M'], ['s', 'picture', 'S'],
  ['i', 'setIn', 'I'], ['o', 'setOut', 'O'], ['e', 'export', 'E'],
  ['w', 'why', 'W'], ['r', 'record', 'R'],
];

let actions = {};

/// Takes the actions of a view; called with nothing when it ends.
export function offer(offered = {}) {
  actions = offered;
}

/// Whether what has the focus takes keys itself.
function isTyping(target, key) {
  if (target.closest?.('input:not([type=range]):not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable]')) return true;
  if (key === ' ' && target.closest?.('button, a, summary, input')) return true;
  return ['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key) && Boolean(target.closest?.('input, [role=tab], [data-arrows]'));
}

/// Begins to listen.
export function listenForKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target, event.key)) return;
    if (document.querySelector('dialog[open]')) return;
    if (event.key === '?') {
      event.preventDefault();
      showKeys();
      return;
    }
    if (/^[1-9]$/.test(event.key)) {
      actions.camera?.(Number(event.key));
      return;
    }
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = KEYS.find(([key]) => key === name);
    if (!found || !actions[found[1]]) return;
    event.preventDefault();
    actions[found[1]]();
  });
}

/// The sign of an action's key, for tips.
export function keyOf(action) {
  const found = KEYS.find(([, name, sign]) => name === action && sign !== null);
  return found && (found[2] === 'space' ? t('keys.space') : found[2] ?? found[0]);
}

/// Shows the list of keys.
export async function showKeys() {
  const { keysDialog } = await import('../panels/keys.js');
  return keysDialog();
}
