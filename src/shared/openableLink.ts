const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:']);
/** Maximum length of an address. Browsers and mail programs truncate longer addresses. */
const MAX_LINK_LENGTH = 2_000;

/**
 * Returns the normalized target of a link in untrusted text. Returns undefined for unsafe targets:
 * a command or file on this computer, an incomplete address, or an address with a user name before
 * the `@`, which can look like the address of a different server.
 */
export function openableLink(text: string): string | undefined {
  if (text.length > MAX_LINK_LENGTH || !URL.canParse(text)) return undefined;
  const { href, protocol, username, password } = new URL(text);
  if (!SCHEMES.has(protocol) || username !== '' || password !== '') return undefined;
  return href;
}

/** Like `openableLink`, but only for encrypted protocols. */
export function secureLink(text: string): string | undefined {
  const link = openableLink(text);
  return link?.startsWith('https:') === true ? link : undefined;
}
