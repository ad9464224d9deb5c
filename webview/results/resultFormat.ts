import { localeTag } from '../ui/format';
import * as l10n from '@vscode/l10n';
import type { ResultNode } from '../../src/shared/query/results';

/**
 * Maximum number that is formatted in full; larger numbers aren't exact and are formatted with an
 * exponent.
 */
const MAX_PLAIN_NUMBER = 1e15;

const EXPONENT_DIGITS = 6;

/** Formats amounts for a locale. */
export class AmountFormatter {
  private readonly locale: string | undefined;

  constructor(locale: string) {
    this.locale = localeTag(locale);
  }

  number(value: number): string {
    if (!(Math.abs(value) >= MAX_PLAIN_NUMBER)) return value.toLocaleString(this.locale);
    return value.toLocaleString(this.locale, {
      notation: 'scientific',
      maximumSignificantDigits: EXPONENT_DIGITS,
    });
  }

  /** @param milliseconds formatted in seconds if more than one second. */
  duration(milliseconds: number): string {
    if (milliseconds < 1_000) return this.withUnit(Math.round(milliseconds), 'millisecond', 0);
    const seconds = milliseconds / 1_000;
    return this.withUnit(seconds, 'second', seconds < 10 ? 2 : seconds < 100 ? 1 : 0);
  }

  bytes(bytes: number): string {
    if (bytes < 1_000) return this.withUnit(bytes, 'byte', 0);
    if (bytes < 1_000_000) return this.withUnit(bytes / 1_000, 'kilobyte', 1);
    if (bytes < 1_000_000_000) return this.withUnit(bytes / 1_000_000, 'megabyte', 1);
    return this.withUnit(bytes / 1_000_000_000, 'gigabyte', 2);
  }

  private withUnit(value: number, unit: string, maximumFractionDigits: number): string {
    // The short form of the unit "byte" has no plural.
    const unitDisplay = unit === 'byte' ? 'long' : 'short';
    const style = { style: 'unit', unit, unitDisplay, maximumFractionDigits } as const;
    return value.toLocaleString(this.locale, style);
  }
}

/** Returns the names of the kinds of values. */
export function getKindNames(): Readonly<Record<ResultNode['kind'], string>> {
  return {
    number: l10n.t('Number'),
    text: l10n.t('Text'),
    boolean: l10n.t('True or false'),
    time: l10n.t('Time'),
    null: l10n.t('Null'),
    json: l10n.t('JSON'),
    binary: l10n.t('Binary'),
    list: l10n.t('List'),
    object: l10n.t('Object'),
  };
}
