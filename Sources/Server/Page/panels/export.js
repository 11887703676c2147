// Giving a stretch of time to somebody: begin and end, what it holds, the download with its progress.
import { fill, h } from '../app/dom.js';
import { attempt, dialog, note, refusalLines } from '../app/notices.js';
import { Refusal, ask, ofCamera, query, read } from '../app/requests.js';
import { clock, local, moment, parse, stamp, utc } from '../app/time.js';
import { length, size, t } from '../app/words.js';

// More than this is left to the browser's own download, which writes to the disk.
const IN_MEMORY = 1 << 30;

/// The moment that a field of date and time shows on the site's clock.
function momentOf(value) {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?/.exec(value);
  return match ? moment(...match.slice(1).map((part) => Number(part ?? 0))) : undefined;
}

/// Opens the dialog for a stretch of a camera's past.
export function exportDialog(camera, from, to) {
  return dialog(t('export.title'), (close) => {
    const abort = new AbortController();
    const field = (id, words, at) => h('label.field', {}, h('span', {}, words), h('input', { type: 'datetime-local', step: '1', id, value: local(Math.round(at / 1000) * 1000).slice(0, 19), onchange: () => plan() }));
    const plan_ = h('div.plan', { 'aria-live': 'polite' });
    const progress = h('progress', { max: '100', value: '0', hidden: true, 'aria-label': t('export.progress') });
    const told = h('p.quiet', { role: 'status' });
    const start = h('button.primary', { type: 'button', disabled: true, onclick: () => run() }, t('export.start'));
    const begin = field('export-from', t('export.from'), from), end = field('export-to', t('export.to'), to);
    let planned;
    const range = () => ({ from: momentOf(begin.querySelector('input').value), to: momentOf(end.querySelector('input').value) });
    const plan = async () => {
      const { from, to } = range();
      start.disabled = true;
      if (!from || !to || to <= from) return fill(plan_, h('p', {}, t('export.order')));
      try {
        planned = await read(ofCamera(camera, `export/plan${query({ from: utc(from), to: utc(to) })}`));
        fill(plan_, h('p', {}, h('strong', {}, length(planned.durationMs)), ` ${t('export.about', { size: size(planned.bytes) })}`),
          planned.holes.length > 0 && h('details', {}, h('summary', {}, t('export.holes', { count: planned.holes.length })),
            h('ul.quiet', {}, planned.holes.slice(0, 50).map((hole) => h('li', {}, `${stamp(parse(hole.from))} – ${clock(parse(hole.to))}`)))));
        start.disabled = false;
      } catch (error) {
        fill(plan_, refusalLines(error));
      }
      return undefined;
    };
    const run = () => attempt(async () => {
      const { from, to } = range();
      const address = ofCamera(camera, `export${query({ from: utc(from), to: utc(to) })}`);
      const name = `${camera} ${local(from).slice(0, 19).replaceAll(':', '-')}.mp4`;
      if (planned.bytes > IN_MEMORY) {
        h('a', { href: address, download: name }).click();
        close();
        return;
      }
      start.disabled = true;
      progress.hidden = false;
      try {
        await save(address, name, abort.signal, (done, all) => {
          progress.value = all ? (100 * done) / all : 0;
          told.textContent = t('export.done', { done: size(done), all: size(all ?? planned.bytes) });
        });
        note(t('export.saved', { name }));
        close();
      } catch (error) {
        if (error.name === 'AbortError') return;
        progress.hidden = true;
        start.disabled = false;
        throw error;
      }
    });
    plan();
    queueMicrotask(() => begin.closest('dialog')?.addEventListener('close', () => abort.abort(), { once: true }));
    return [h('p.quiet', {}, camera), h('div.pair', {}, begin, end), plan_, progress, told,
      h('footer', {}, h('button', { type: 'button', onclick: () => close() }, t('cancel')), start)];
  });
}

/// Fetches a file, tells how much is there, and hands it to the browser as a download. A file that is cut off is refused.
async function save(address, name, signal, tell) {
  const response = await ask(address, { signal });
  const all = Number(response.headers.get('Content-Length')) || undefined;
  const parts = [];
  let done = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { value, done: isOver } = await reader.read();
    if (isOver) break;
    parts.push(value);
    done += value.length;
    tell(done, all);
  }
  if (all && done < all) throw new Refusal(0, t('export.broken'), undefined, t('refused.silentRemedy'));
  const url = URL.createObjectURL(new Blob(parts, { type: 'video/mp4' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  const skipped = response.headers.get('Vigil-Skipped');
  if (skipped) note(skipped, { isAlarm: true });
}
