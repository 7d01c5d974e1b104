/** The console's token: behind `#token=` of the address that perigee-console prints. */
const storageKey = 'perigee.token';
const pattern = /[#&]token=([^&]*)/;

/**
 * Takes the token out of the address bar, so that no screenshot shows it, and keeps it until the tab
 * is closed.
 */
export function takeToken(): void {
  const found = pattern.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem(storageKey, decodeURIComponent(found[1]!));
  const rest = location.hash.replace(pattern, '').replace(/^#?&?/, '');
  history.replaceState(null, '', location.pathname + location.search + (rest === '' ? '' : `#${rest}`));
}

/** Empty: the page may only look. */
export function token(): string {
  return sessionStorage.getItem(storageKey) ?? '';
}

/** The address of a WebSocket of the console. Browsers set no headers of sockets. */
export function socketUrl(path: string): URL {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  const known = token();
  if (known !== '') url.search = `?token=${encodeURIComponent(known)}`;
  return url;
}

export function authorization(): Record<string, string> {
  const known = token();
  return known === '' ? {} : { authorization: `Bearer ${known}` };
}

export const howToAct = 'open the address that perigee-console prints, with #token= at its end';
