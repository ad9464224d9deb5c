import * as l10n from '@vscode/l10n';
import { localeTag } from '../../ui/format';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Maximum length, in characters, of one-line text. */
const MAX_LENGTH = 200;

/** Control characters, line breaks, and marks that change the text direction. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns user-provided text on one line, without characters that could change how the surrounding
 * text looks.
 */
export function oneLine(text: string, longest = MAX_LENGTH): string {
  // Truncate first: the text can be very long.
  const start = text.length > longest ? text.slice(0, longest) : text;
  const safe = start.replace(UNSAFE, '\ufffd').replace(/[\ud800-\udbff]$/, '');
  return start === text ? safe : `${safe}…`;
}

/** Like `oneLine`, but preserves line breaks. */
export function someLines(text: string, longest: number): string {
  return text
    .slice(0, longest)
    .split('\n')
    .map((line) => oneLine(line, longest))
    .join('\n')
    .concat(text.length > longest ? '…' : '');
}

/** Formats numbers, times, and sizes in the user's language. */
export interface ItemFormatter {
  number(value: number): string;
  /** Formats the date and time of a timestamp in milliseconds since 1970. */
  time(at: number): string;
  size(bytes: number): string;
  tags(count: number): string;
  boxes(count: number): string;
}

export function createItemFormatter(locale: string): ItemFormatter {
  const tag = localeTag(locale);
  const numbers = new Intl.NumberFormat(tag);
  const times = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  const sizes = UNITS.map(
    (unit) =>
      new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        maximumFractionDigits: 1,
        // The short form of the unit "byte" has no plural.
        unitDisplay: unit === 'byte' ? 'long' : 'short',
      }),
  );
  const number = (value: number): string => numbers.format(value);
  return {
    number,
    time: (at) => times.format(at),
    size: (bytes) => {
      const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), sizes.length - 1);
      return sizes[power]?.format(bytes / 1000 ** power) ?? '';
    },
    tags: (count) => (count === 1 ? l10n.t('1 tag') : l10n.t('{0} tags', number(count))),
    boxes: (count) => (count === 1 ? l10n.t('1 box') : l10n.t('{0} boxes', number(count))),
  };
}
