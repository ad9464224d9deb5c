import { localeTag } from '../ui/localeTag';

/** Formats timestamps in the user's language. */
export interface TimeFormatter {
  /** Formats a timestamp in the time zone of this computer. */
  local(milliseconds: number): string;
  utc(milliseconds: number): string;
}

export function timeTextFor(locale: string): TimeFormatter {
  const tag = localeTag(locale);
  const local = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  return {
    local: (milliseconds) => local.format(milliseconds),
    utc: (milliseconds) =>
      `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  };
}
