// The page begins here: words, login, then the shell with the view of the address.
import { connection } from './requests.js';
import { followLinks, moves, routeOf } from './router.js';
import { Shell } from './shell.js';
import { failure } from './notices.js';
import { site } from './site.js';
import { applyTheme, loadStyle } from './theme.js';
import { beginWords, loadWords, t } from './words.js';
import { listenForKeys } from './keys.js';

// Of each view its module, its styles and its words; loaded when it is first opened.
const VIEWS = {
  wall: [() => import('../views/wall.js'), ['views'], ['camera']],
  camera: [() => import('../views/camera.js'), ['camera'], ['camera']],
  cameras: [() => import('../views/cameras.js'), ['views'], []],
  events: [() => import('../views/events.js'), ['camera', 'views'], ['camera', 'policies']],
  messages: [() => import('../views/messages.js'), ['views'], []],
  policies: [() => import('../views/policies.js'), ['views', 'cloud'], ['policies', 'camera', 'cloud']],
  zones: [() => import('../views/zones.js'), ['views'], ['policies']],
  system: [() => import('../views/system.js'), ['views', 'cloud'], ['system', 'policies', 'cloud']],
  uploads: [() => import('../views/uploads.js'), ['views', 'cloud'], ['cloud']],
  missing: [() => import('../views/missing.js'), ['views'], []],
};

/// Loads what a view needs and gives its module.
async function load(view) {
  const [module, styles, words] = VIEWS[view];
  const [loaded] = await Promise.all([module(), ...styles.map(loadStyle), ...words.map(loadWords)]);
  return loaded;
}

// Only who is not logged in needs it.
const login = () => import('./login.js');

let shell, shown, isFirst = true;

/// Shows the view of the address. One that shows the same thing already is told the new parameters instead.
async function show() {
  const { view, parameters } = routeOf(new URL(location.href));
  if (shown?.view === view && shown.instance?.follow?.(parameters)) return;
  const turn = { view };
  shown?.instance?.end?.();
  shown = turn;
  shell.select(view, parameters);
  try {
    const { open } = await load(view);
    if (shown !== turn) return;
    const main = shell.clear();
    turn.instance = open(main, parameters, shell);
    // A screen reader goes on with the new view.
    if (!isFirst) main.focus({ preventScroll: true });
    isFirst = false;
  } catch (error) {
    if (shown === turn) shell.clear().append(failure(error, () => location.reload()));
    console.error(error);
  }
}

/// Logs in where that is needed, and shows the page.
async function begin() {
  const root = document.body;
  for (;;) {
    try {
      await site.begin();
      break;
    } catch (error) {
      if (error.status === 401 || error.status === 403) await (await login()).askLogin(root);
      else await new Promise((again) => root.replaceChildren(failure(error, again, { again: 3000 })));
    }
  }
  shell = new Shell(root);
  shown = undefined;
  await show();
}

async function start() {
  applyTheme();
  await beginWords();
  followLinks();
  listenForKeys();
  moves.addEventListener('moved', () => shell && show());
  let isBeginning = true;
  connection.addEventListener('login', () => {
    if (isBeginning) return;
    shown?.instance?.end?.();
    shell?.end();
    shell = undefined;
    isBeginning = true;
    begin().finally(() => (isBeginning = false));
  });
  const refusal = location.hash && (await (await login()).loginByLink());
  if (refusal) await (await login()).askLogin(document.body, refusal);
  await begin();
  isBeginning = false;
}

start().catch((error) => document.body.replaceChildren(failure(error, () => location.reload(), { title: t('page.failed') })));
