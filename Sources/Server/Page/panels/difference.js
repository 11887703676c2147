// What differs between two texts.
import { h } from '../app/dom.js';
import { t } from '../app/words.js';

/// The lines of two texts side by side: `{ sign: ' ' | '-' | '+', text }`, by their longest common subsequence.
export function difference(before, after) {
  const a = before.split('\n'), b = after.split('\n');
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  }
  const out = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) out.push({ sign: ' ', text: a[i++] }), (j += 1);
    else if (i < a.length && (j >= b.length || table[i + 1][j] >= table[i][j + 1])) out.push({ sign: '-', text: a[i++] });
    else out.push({ sign: '+', text: b[j++] });
  }
  return out;
}

/// The lines of a difference; of unchanged ones those near a change.
export function differenceLines(before, after) {
  const lines = difference(before, after);
  const isNear = (index) => lines.slice(Math.max(0, index - 2), index + 3).some((line) => line.sign !== ' ');
  const out = [];
  lines.forEach((line, index) => {
    if (isNear(index)) out.push(h('span', { 'data-sign': line.sign }, `${line.sign} ${line.text}\n`));
    else if (out.length && out.at(-1).dataset.sign !== '…') out.push(h('span', { 'data-sign': '…' }, '  …\n'));
  });
  return h('pre.difference', { tabindex: '0', 'aria-label': t('policy.difference') }, out.length ? out : t('policy.same'));
}
