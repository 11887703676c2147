// Addresses: each view has one, with everything that is needed to open the same again.

const ROUTES = [
  [/^\/$/, 'wall', []],
  [/^\/camera\/([^/]+)$/, 'camera', ['camera']],
  [/^\/cameras$/, 'cameras', []],
  [/^\/events$/, 'events', []],
  [/^\/messages$/, 'messages', []],
  [/^\/policies(?:\/([^/]+))?$/, 'policies', ['policy']],
  [/^\/zones\/([^/]+)$/, 'zones', ['camera']],
  [/^\/system$/, 'system', []],
  [/^\/uploads$/, 'uploads', []],
];

/// The view that an address names, with its parameters, those of the path and those of the query.
export function routeOf(url) {
  for (const [pattern, view, names] of ROUTES) {
    const match = pattern.exec(url.pathname);
    if (!match) continue;
    const parameters = Object.fromEntries(url.searchParams);
    try {
      names.forEach((name, index) => (parameters[name] = match[index + 1] === undefined ? undefined : decodeURIComponent(match[index + 1])));
    } catch {
      break;
    }
    return { view, parameters };
  }
  return { view: 'missing', parameters: {} };
}

/// The address of a view with a query, of which nothing and empty values are left out.
export function address(path, values = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) if (value !== undefined && value !== null && value !== '') query.set(key, value);
  // A colon is allowed in a query, and a time is read more easily with it.
  const text = query.toString().replaceAll('%3A', ':');
  return text ? `${path}?${text}` : path;
}

/// The address of a camera's view.
export const cameraAddress = (camera, values) => address(`/camera/${encodeURIComponent(camera)}`, values);

/// Told with `moved` after each change of the address that a view must follow.
export const moves = new EventTarget();

/// Goes to an address of the page.
export function go(to, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState']({}, '', to);
  moves.dispatchEvent(new Event('moved'));
}

/// Writes the address of what is shown already.
export function note(to) {
  if (location.pathname + location.search !== to) history.replaceState({}, '', to);
}

/// Follows back, forward and the links of the page.
export function followLinks() {
  addEventListener('popstate', () => moves.dispatchEvent(new Event('moved')));
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || link.target || link.hasAttribute('download') || url.pathname.startsWith('/v1/')) return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
}
