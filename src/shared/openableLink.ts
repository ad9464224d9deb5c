const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:']);
/** Browsers and mail programs cut what is longer. */
const LONGEST = 2_000;

/**
 * The address that a link of remote text leads to, in its normal form. Nothing where a person must not be
 * led: to a command or a file of this machine, to nowhere in particular, or where a user name before the
 * `@` makes the address look like that of another server.
 */
export function openableLink(text: string): string | undefined {
  if (text.length > LONGEST || !URL.canParse(text)) return undefined;
  const { href, protocol, username, password } = new URL(text);
  if (!SCHEMES.has(protocol) || username !== '' || password !== '') return undefined;
  return href;
}

/** The same of an address that has to be encrypted on its way. */
export function secureLink(text: string): string | undefined {
  const link = openableLink(text);
  return link?.startsWith('https:') === true ? link : undefined;
}
