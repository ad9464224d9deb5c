import { fillPlaceholders } from '../ui/fillPlaceholders';

/** Formats counts in sentences, with numbers in the user's language. */
export interface CountFormatter {
  number(count: number): string;
  /** Returns the singular or plural sentence with the count. */
  of(count: number, one: string, many: string): string;
}

export function createCountFormatter(locale: string | undefined): CountFormatter {
  const format = new Intl.NumberFormat(locale);
  const number = (count: number): string => format.format(count);
  return {
    number,
    of: (count, one, many) => fillPlaceholders(count === 1 ? one : many, number(count)),
  };
}
