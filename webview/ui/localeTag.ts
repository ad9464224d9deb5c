/**
 * Returns a language tag that this browser supports; undefined for the browser's own language. VS
 * Code language packs can use nonstandard tags.
 */
export function localeTag(locale: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}
