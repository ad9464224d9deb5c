import { localeTag } from '../../ui/localeTag';

const SECOND = 1_000;
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400 * SECOND],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
];

/**
 * Formats the time elapsed since a timestamp in its largest unit. The timestamp can be in the
 * future, because machine clocks can be ahead.
 */
export function formatTimeAgo(at: number, now: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(localeTag(locale), { numeric: 'auto' });
  const elapsed = now - at;
  const [unit, length] = UNITS.find(([, least]) => Math.abs(elapsed) >= least) ?? [
    'second',
    SECOND,
  ];
  return format.format(-Math.trunc(elapsed / length), unit);
}
