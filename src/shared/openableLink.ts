const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:']);
/** Maximum length: browsers and mail programs cut off longer addresses. */
const LONGEST = 2_000;

/**
 * Returns the normalized target of a link in remote text. Returns undefined for unsafe targets: a
 * command or file of this computer, an incomplete address, or an address that looks like another
 * server's because of a user name before the `@`.
 */
export function openableLink(text: string): string | undefined {
  if (text.length > LONGEST || !URL.canParse(text)) return undefined;
  const { href, protocol, username, password } = new URL(text);
  if (!SCHEMES.has(protocol) || username !== '' || password !== '') return undefined;
  return href;
}

/** Like `openableLink`, but only for encrypted protocols. */
export function secureLink(text: string): string | undefined {
  const link = openableLink(text);
  return link?.startsWith('https:') === true ? link : undefined;
}
