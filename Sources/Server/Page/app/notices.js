// What the page has to say: refusals, failures, short notes with "undo", and questions before what cannot be undone.
import { fill, h, icon, iconButton } from './dom.js';
import { t } from './words.js';

/// What, why and remedy of a refusal as lines.
export function refusalLines(error) {
  return [
    h('p', {}, h('strong', {}, sentence(error.what ?? error.message))),
    error.why && h('p', {}, sentence(error.why)),
    error.remedy && h('p.quiet', {}, sentence(error.remedy)),
  ];
}

/// The text with a capital at its begin and a stop at its end.
export function sentence(text) {
  const trimmed = String(text ?? '').trim();
  if (!trimmed) return '';
  const first = trimmed[0].toUpperCase() + trimmed.slice(1);
  return /[.!?…:]$/.test(first) ? first : `${first}.`;
}

/// What stands in the place of something that could not be shown; `again` tries once more, by itself after `options.again` ms.
export function failure(error, again, options = {}) {
  const element = h('section.failure', { role: 'alert' },
    options.title && h('h2', {}, options.title),
    refusalLines(error),
    again && h('button', { type: 'button', onclick: () => again() }, t('again')));
  if (options.again && error.isSilence !== false) setTimeout(() => element.isConnected && again(), options.again);
  return element;
}

/// What stands where there is nothing: a drawing, a sentence, and what to do.
export function emptiness(drawing, title, ...rest) {
  return h('section.emptiness', {}, icon(drawing), h('h2', {}, title), ...rest);
}

/// What is waited for; shown after 300 ms, so that what comes at once does not flicker.
export function waiting(text) {
  return h('p.waiting', { role: 'status' }, text);
}

let area;

/// Shows a note for some seconds, with an action such as "undo".
export function note(text, { action, act, isAlarm = false, ms = 6000 } = {}) {
  if (!area?.isConnected) {
    area = h('div.notes', { 'aria-live': 'polite' });
    document.body.append(area);
  }
  const element = h('div.note', isAlarm ? { class: 'note alarm', role: 'alert' } : {},
    h('div', {}, text),
    action && h('button.plain', { type: 'button', onclick: () => (element.remove(), act()) }, action),
    iconButton('close', t('close'), () => element.remove()));
  while (area.children.length > 3) area.firstChild.remove();
  area.append(element);
  setTimeout(() => element.remove(), isAlarm ? 2 * ms : ms);
}

/// Tells a refusal as a note.
export function tellRefusal(error) {
  if (error.name === 'AbortError') return;
  note(refusalLines(error), { isAlarm: true });
}

/// Does something and tells the refusal, if there is one; gives nothing then.
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    tellRefusal(error);
    if (!error.what) console.error(error);
    return undefined;
  }
}

/// Opens a dialog over the page; `content` is given a function that closes it with a value. Gives that value, nothing where
/// the dialog was left.
export function dialog(title, content, { isWide = false } = {}) {
  return new Promise((done) => {
    const heading = `dialog-${Math.random().toString(36).slice(2)}`;
    const body = h('div.dialog-body');
    const element = h('dialog', { 'aria-labelledby': heading, class: isWide ? 'wide' : undefined },
      h('header', {}, h('h2', { id: heading }, title), iconButton('close', t('close'), () => element.close())), body);
    let value;
    const close = (with_) => {
      value = with_;
      element.close();
    };
    element.addEventListener('close', () => {
      element.remove();
      done(value);
    });
    element.addEventListener('click', (event) => event.target === element && element.close());
    fill(body, content(close));
    document.body.append(element);
    element.showModal();
  });
}

/// Asks once before what cannot be undone; `lost` says what is lost.
export function confirmLoss(title, lost, word) {
  return dialog(title, (close) => [
    h('p', {}, lost),
    h('footer', {},
      h('button', { type: 'button', autofocus: true, onclick: () => close(false) }, t('cancel')),
      h('button.danger', { type: 'button', onclick: () => close(true) }, word)),
  ]);
}
