// What the page asks of the daemon. Every refusal is a `Refusal` with what, why and remedy in the daemon's own words.
import { t } from './words.js';

/// A request that was not granted.
export class Refusal extends Error {
  constructor(status, what, why, remedy, step) {
    super(why ? `${what}: ${why}` : what);
    Object.assign(this, { status, what, why, remedy, step });
  }

  /// Whether nobody answered, so that it may help to ask again.
  get isSilence() {
    return this.status === 0 || this.status === 502 || this.status === 504;
  }
}

/// Told with `login` when the login is over, `silent` and `answered` when the daemon stops and begins to answer.
export const connection = new EventTarget();
let answered = true;

function tellAnswered(now) {
  if (now === answered) return;
  answered = now;
  connection.dispatchEvent(new Event(now ? 'answered' : 'silent'));
}

/// Whether the daemon answered the last request.
export const isAnswered = () => answered;

/// A query from values; lists give a parameter for each, nothing and empty ones none.
export function query(values) {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null && one !== '') parameters.append(key, one);
  }
  const text = parameters.toString();
  return text ? `?${text}` : '';
}

/// A path below a camera.
export const ofCamera = (camera, rest) => `/v1/cameras/${encodeURIComponent(camera)}/${rest}`;

/// Sends a request and gives the response, whatever its media type; throws a `Refusal`.
export async function ask(path, { method = 'GET', body, signal, headers = {}, quiet = false } = {}) {
  const request = { method, signal, headers: { ...headers }, credentials: 'same-origin', cache: 'no-store' };
  if (method !== 'GET') request.headers['Vigil-Page'] = '1';
  if (body !== undefined) {
    request.headers['Content-Type'] = 'application/json';
    request.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    tellAnswered(false);
    throw new Refusal(0, t('refused.silent'), t('refused.silentWhy'), t('refused.silentRemedy'));
  }
  tellAnswered(response.status !== 502 && response.status !== 504);
  if (response.ok) return response;
  const refusal = await refusalOf(response);
  if (response.status === 401 && !quiet) connection.dispatchEvent(new Event('login'));
  throw refusal;
}

/// The refusal that a response tells: problem+json, or its status alone.
async function refusalOf(response) {
  const told = await response.json().catch(() => ({}));
  const { what, why, remedy, step } = told;
  return new Refusal(response.status, what ?? told.title ?? t('refused.status', { status: String(response.status) }), why ?? told.detail, remedy, step);
}

/// Asks for JSON.
export async function read(path, options) {
  return (await ask(path, options)).json();
}

/// Sends JSON and gives the JSON of the answer, or nothing where it has none.
export async function send(method, path, body, options = {}) {
  const response = await ask(path, { ...options, method, body });
  const text = await response.text();
  return text ? JSON.parse(text) : undefined;
}

/// A whole listing, page by page, at most `most` rows.
export async function readAll(path, values, { most = 5000, signal } = {}) {
  const rows = [];
  let after;
  do {
    const response = await ask(path + query({ ...values, limit: 1000, after }), { signal });
    rows.push(...(await response.json()));
    after = response.headers.get('Vigil-Next') ?? undefined;
  } while (after && rows.length < most);
  return rows;
}
