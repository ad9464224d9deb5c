/**
 * Returns a language tag that this browser supports; undefined for the browser's own language.
 * Language packs use their own names.
 */
export function localeTag(locale: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}
