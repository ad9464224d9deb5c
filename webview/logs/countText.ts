import { fillPlaceholders } from '../ui/fillPlaceholders';

/** Formats counts in sentences, with numbers in the user's language. */
export interface CountText {
  number(count: number): string;
  /** Returns the singular or plural sentence with the count. */
  of(count: number, one: string, many: string): string;
}

export function countText(locale: string | undefined): CountText {
  const format = new Intl.NumberFormat(locale);
  const number = (count: number): string => format.format(count);
  return {
    number,
    of: (count, one, many) => fillPlaceholders(count === 1 ? one : many, number(count)),
  };
}
