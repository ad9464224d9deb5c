/** Reason why a text isn't a valid service URL. */
export type BaseUrlProblem = 'empty' | 'malformed' | 'scheme' | 'credentials' | 'path';

export type ParsedBaseUrl =
  | { readonly ok: true; readonly baseUrl: string; readonly keyTravelsInClear: boolean }
  | { readonly ok: false; readonly problem: BaseUrlProblem };

/**
 * Addresses that never leave this computer (all of 127/8 according to RFC 1122), as formatted by
 * `URL`.
 */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Parses a URL that the user entered. If it has no scheme, assumes TLS. */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, problem: 'empty' };
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch {
    return { ok: false, problem: 'malformed' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, problem: 'scheme' };
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'credentials' };
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return { ok: false, problem: 'path' };
  }
  const keyTravelsInClear = url.protocol === 'http:' && !LOOPBACK.test(url.hostname);
  return { ok: true, baseUrl: url.origin, keyTravelsInClear };
}
