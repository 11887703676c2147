// How the recorder itself is: storage, the cameras' last 30 days, who looks, tokens, versions.
import { fill, h, icon } from '../app/dom.js';
import { attempt, confirmLoss, note, refusalLines, sentence, waiting } from '../app/notices.js';
import { ask, ofCamera, query, read, send } from '../app/requests.js';
import { cameraAddress } from '../app/router.js';
import { languageChoice } from '../app/shell.js';
import { site } from '../app/site.js';
import { DAY, parse, stamp, utc } from '../app/time.js';
import { chooseTheme, theme, THEMES } from '../app/theme.js';
import { labelWords, length, number, size, t } from '../app/words.js';
import { CloudCard } from '../panels/cloud-card.js';
import { journalList } from '../panels/journal.js';
import { showNotifications } from '../panels/notifications.js';
import { findingList } from '../panels/proposal.js';

const GOOD = new Set(['recorded', 'idle', 'blind', 'offByPolicy', 'offBySchedule', 'disabled', 'privacy', 'deleted', 'notConfigured']);

export function open(main, _, shell) {
  shell.title(t('place.system'));
  main.className = 'page system-view';
  const ending = new AbortController();
  const section = (name, ...content) => h('section.block', { 'aria-labelledby': `system-${name}` }, h('h2', { id: `system-${name}` }, t(`system.${name}`)), content);
  const later = () => h('div', {}, waiting(t('timeline.loading')));
  const storage = h('div'), about = h('div'), health = later(), viewers = later(), tokens = later(), findings = later(), notifications = later();
  const drawStatus = () => (fill(storage, storageLines(site.status)), fill(about, aboutLines(site.status)));
  main.append(h('header.page-head', {}, h('h1', {}, t('place.system')), h('span.grow'), h('a.button', { href: '/policies' }, icon('policies'), t('place.policies')), h('a.button', { href: '/uploads' }, icon('cloud'), t('cloud.queue')), h('a.button', { href: '/messages' }, icon('messages'), t('place.messages'))),
    h('div.blocks', {}, section('storage', storage), section('cloud', new CloudCard(ending.signal).element), section('findings', findings), section('health', health), section('viewers', viewers), section('notifications', notifications), section('tokens', tokens), section('about', about), section('page', pageSettings()), section('journal', journalList(ending.signal))));
  drawStatus();
  site.addEventListener('status', drawStatus, { signal: ending.signal });
  const { signal } = ending;
  showHealth(health, signal);
  showViewers(viewers, signal);
  showTokens(tokens, signal);
  showNotifications(notifications, signal);
  read('/v1/findings', { signal }).then((all) => fill(findings, all.length ? findingList(all) : h('p.quiet', {}, t('system.noFindings'))),
    (error) => error.name !== 'AbortError' && fill(findings, refusalLines(error)));
  return { end: () => ending.abort() };
}

function storageLines({ storage }) {
  const all = storage.bytes + storage.freeBytes, meter = h('div.meter', { role: 'img', 'aria-label': t('system.meter', { used: size(storage.bytes), free: size(storage.freeBytes) }) }, h('i'));
  meter.firstChild.style.width = `${Math.max(0.5, (100 * storage.bytes) / Math.max(1, all))}%`;
  const forecast = storage.forecast ?? [];
  return [
    h('p', {}, h('strong.figure', {}, size(storage.bytes)), ' ', t('system.used', { count: storage.clips })), meter,
    h('p.quiet', {}, t('system.free', { free: size(storage.freeBytes) }), storage.state === 'ok' ? '' : ` – ${t(`storage.${storage.state}`)}`),
    h('p.quiet', {}, h('code', {}, storage.root)),
    forecast.length > 0 && h('ul.plain-list', {}, forecast.map((one) => h('li', {}, sentence(one.words)))),
  ];
}

function aboutLines(status) {
  return [
    h('dl.facts.short', {},
      h('dt', {}, t('system.version')), h('dd', {}, status.version),
      h('dt', {}, t('system.running')), h('dd', {}, length(status.uptimeMs)),
      h('dt', {}, t('system.zone')), h('dd', {}, status.timeZone),
      h('dt', {}, t('system.config')), h('dd', {}, h('code', {}, status.config)),
      h('dt', {}, t('system.you')), h('dd', {}, `${site.me.name}, ${t(`right.${site.me.right}`)}`),
      (status.limits ?? []).map((limit) => [h('dt', {}, t(`limit.${limit.name}`)), h('dd', {}, used(limit))]),
      h('dt', {}, t('system.listens')), status.listeners.map(answersAt),
      status.mqtt && [h('dt', {}, t('system.broker')), broker(status.mqtt)]),
  ];
}

function used({ name, used, limit }) {
  const shown = name === 'memory' ? size : number;
  return t('limit.used', { used: shown(used), limit: shown(limit) });
}

function answersAt({ address, state, why }) {
  return h('dd', { class: state === 'failed' ? 'alarm' : '' }, h('code', {}, address), why ? ` – ${why}` : '');
}

function broker({ broker, connected, why }) {
  return answersAt({ address: broker, state: connected ? 'listening' : 'failed', why: connected ? t('system.connected') : why });
}

// Of each camera the share of 30 days in which all was well, and what was not. Coverage says it.
async function showHealth(place, signal) {
  const cameras = [...site.states.keys()], to = Date.now(), from = to - 30 * DAY;
  const rows = new Map(cameras.map((camera) => [camera, h('tr', {}, h('th', { scope: 'row', title: camera }, h('a', { href: cameraAddress(camera) }, camera)), h('td', {}, '…'), h('td'), h('td'))]));
  if (!cameras.length) return fill(place, h('p.quiet', {}, t('wall.none')));
  fill(place, h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('system.health') }, h('table.figures', {},
    h('thead', {}, h('tr', {}, ['camera', 'well', 'recorded', 'trouble'].map((name) => h('th', { scope: 'col' }, t(`health.${name}`))))), h('tbody', {}, [...rows.values()]))));
  for (const camera of cameras) {
    try {
      const { sums } = await read(ofCamera(camera, `coverage${query({ from: utc(from), to: utc(to) })}`), { signal });
      const entries = Object.entries(sums), known = entries.reduce((sum, [label, ms]) => sum + (label === 'notConfigured' ? 0 : ms), 0);
      const bad = entries.filter(([label, ms]) => !GOOD.has(label) && ms > 0).sort((a, b) => b[1] - a[1]);
      const lost = bad.reduce((sum, [, ms]) => sum + ms, 0);
      const [, well, recorded, trouble] = rows.get(camera).children;
      well.textContent = known ? `${number(100 - (100 * lost) / known, lost ? 2 : 0)} %` : '–';
      recorded.textContent = length(sums.recorded ?? 0);
      trouble.textContent = bad.length ? bad.map(([label, ms]) => `${labelWords(label)} ${length(ms)}`).join(', ') : '–';
    } catch (error) {
      if (error.name === 'AbortError') return undefined;
      rows.get(camera).children[1].textContent = error.what ?? error.message;
    }
  }
  return undefined;
}

async function showViewers(place, signal) {
  try {
    const sessions = (await read('/v1/sessions', { signal })).filter((session) => session.phase !== 'ended' && session.phase !== 'idle');
    fill(place, sessions.length ? h('ul.plain-list', {}, sessions.map((session) => h('li', {}, h('strong', {}, session.by), ` ${session.camera} – ${session.phase}`,
      session.position ? ` ${stamp(parse(session.position))}` : ''))) : h('p.quiet', {}, t('viewers.none')));
  } catch (error) {
    if (error.name === 'AbortError') return;
    const watched = [...site.states.values()].filter((state) => state.viewers > 0);
    fill(place, watched.length ? h('ul.plain-list', {}, watched.map((state) => h('li', {}, `${state.camera}: ${t('viewers.count', { count: state.viewers })}`))) : h('p.quiet', {}, t('viewers.none')));
  }
}

async function showTokens(place, signal) {
  if (!site.may('administer')) {
    fill(place, h('p.quiet', {}, t('refused.right')));
    return;
  }
  try {
    const tokens = await read('/v1/tokens', { signal });
    const revoke = async (token) => {
      if (!(await confirmLoss(t('tokens.revoke'), t('tokens.lost', { name: token.name }), t('tokens.revoke')))) return;
      await attempt(async () => {
        await ask(`/v1/tokens/${encodeURIComponent(token.name)}`, { method: 'DELETE' });
        note(t('tokens.revoked', { name: token.name }));
        await showTokens(place, signal);
      });
    };
    fill(place, h('ul.plain-list', {}, tokens.map((token) => h('li.row', {}, h('span.grow', {}, h('strong', {}, token.name), ` ${t(`role.${token.role}`)}`,
      h('small.quiet', {}, ` ${token.lastUsed ? t('tokens.used', { time: stamp(parse(token.lastUsed), 'minute') }) : t('tokens.never')}`)),
    h('button', { type: 'button', onclick: () => revoke(token) }, t('tokens.revoke'))))), h('p.row', {}, h('button', { type: 'button', onclick: async () => ((await createToken()) && showTokens(place, signal)) }, icon('plus'), t('tokens.create'))));
  } catch (error) {
    if (error.name !== 'AbortError') fill(place, h('p.quiet', {}, t('tokens.command'), ' ', h('code', {}, 'vigil token list')));
  }
}

async function createToken() {
  const { tokenDialog } = await import('../panels/token.js');
  return tokenDialog();
}

function pageSettings() {
  return h('div.row', {},
    h('label.field', {}, h('span', {}, t('page.language')), languageChoice()),
    h('label.field', {}, h('span', {}, t('system.theme')), h('select.small', { onchange: (event) => chooseTheme(event.currentTarget.value) }, THEMES.map((name) => h('option', { value: name, selected: name === theme() }, t(`theme.${name}`))))),
    h('button', { type: 'button', onclick: () => attempt(async () => (await send('POST', '/v1/logout', {}), location.assign('/'))) }, icon('out'), t('login.leave')));
}
