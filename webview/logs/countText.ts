import { fillPlaceholders } from '../ui/fillPlaceholders';

/** Writes counts into sentences, as the person's language writes numbers. */
export interface CountText {
  number(count: number): string;
  /** The sentence for this count, with the count in it. */
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
