/** Writes moments the way the person's language does. */
export interface TimeText {
  /** In the time zone of this machine. */
  local(milliseconds: number): string;
  utc(milliseconds: number): string;
}

export function timeTextFor(locale: string): TimeText {
  const tag = supportedTag(locale);
  const local = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  return {
    local: (milliseconds) => local.format(milliseconds),
    utc: (milliseconds) =>
      `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  };
}

/** VS Code's language packs have names of their own, such as `qps-ploc`. */
function supportedTag(locale: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}
