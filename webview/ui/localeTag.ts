/** A tag that this browser knows; undefined for its own language. Language packs have names of their own. */
export function localeTag(locale: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}
