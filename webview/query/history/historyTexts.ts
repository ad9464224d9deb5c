import type { HistoryEntry } from '../../../src/shared/query/queryPanel';
import type { QueryFrameStrings } from '../../../src/shared/query/queryFrameStrings';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { localeTag } from '../../ui/localeTag';

/** Maximum length, in characters, of a query on one line of the list. */
const LONGEST = 300;

/** Formats information about earlier queries in the user's language. */
export interface HistoryTexts {
  /** Returns the query on one line. */
  readonly line: (entry: HistoryEntry) => string;
  /** Returns the language, time, row count, and duration. */
  readonly facts: (entry: HistoryEntry) => string;
  readonly count: (total: number) => string;
}

export function historyTexts(
  strings: QueryFrameStrings['history'],
  languages: QueryFrameStrings['tools']['languages'],
  locale: string,
): HistoryTexts {
  const tag = localeTag(locale);
  const dateFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
  const number = new Intl.NumberFormat(tag);
  const seconds = new Intl.NumberFormat(tag, {
    ...{ style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 },
  });
  const counted = (count: number, one: string, many: string): string =>
    fillPlaceholders(count === 1 ? one : many, number.format(count));
  return {
    line: ({ text }) =>
      text
        .slice(0, 2 * LONGEST)
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, LONGEST),
    facts: ({ language, at, rows, elapsedMs }) =>
      [
        fillPlaceholders(strings.ranAt, languages[language], dateFormat.format(at)),
        rows === undefined ? strings.unfinished : counted(rows, strings.rowsOne, strings.rows),
        ...(elapsedMs === undefined ? [] : [seconds.format(elapsedMs / 1_000)]),
      ].join(' · '),
    count: (total) => counted(total, strings.countOne, strings.count),
  };
}
