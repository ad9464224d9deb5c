import type { CloudStrings } from '../../../src/shared/data/cloudStrings';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import type { CloudProblem, CloudReading, ColorScale, Coloring } from './cloudViewer';

const axes = ['x', 'y', 'z'] as const;
const VALUE_DIGITS = 4;
/**
 * Values at or above this number, and values below its reciprocal, are formatted with an exponent.
 */
const MAX_PLAIN_VALUE = 1e9;
const BYTES_PER_MEGABYTE = 1_000_000;

/** A fact about a cloud as text. */
export interface CloudFact {
  readonly name: string;
  readonly value: string;
}

/** Describes a cloud as text. */
export class CloudFormatter {
  private readonly counts: Intl.NumberFormat;
  private readonly values: Intl.NumberFormat;
  private readonly exponents: Intl.NumberFormat;

  /**
   * @param locale a language tag that the browser supports; undefined for the browser's own
   *   language
   */
  constructor(
    private readonly strings: CloudStrings,
    locale: string | undefined,
  ) {
    this.counts = new Intl.NumberFormat(locale);
    const digits = { maximumSignificantDigits: VALUE_DIGITS };
    this.values = new Intl.NumberFormat(locale, digits);
    this.exponents = new Intl.NumberFormat(locale, { ...digits, notation: 'scientific' });
  }

  value(value: number): string {
    const size = Math.abs(value);
    const isPlain = size === 0 || (size < MAX_PLAIN_VALUE && size > 1 / MAX_PLAIN_VALUE);
    return (isPlain ? this.values : this.exponents).format(value);
  }

  percentage(part: number): string {
    const { locale } = this.counts.resolvedOptions();
    return part.toLocaleString(locale, { style: 'percent' });
  }

  /** Describes the number of shown points and the total number of points. */
  shown({ cloud, claimed, taken, problem }: CloudReading): string {
    const { shown, someShown, partShown } = this.strings;
    const sentence = taken === claimed ? shown : problem ? partShown : someShown;
    return fillPlaceholders(sentence, this.counts.format(cloud.count), this.counts.format(claimed));
  }

  problem({ kind, values }: CloudProblem): string {
    const inMegabytes = kind === 'tooLarge';
    const texts = values.map((value) => {
      if (typeof value === 'string') return value;
      return this.counts.format(inMegabytes ? Math.round(value / BYTES_PER_MEGABYTE) : value);
    });
    return fillPlaceholders(this.strings.problems[kind], ...texts);
  }

  /** Describes the values that the colors represent. */
  scale(coloring: Coloring, { low, high, lowest, highest }: ColorScale): string {
    const { colorings, scale, wholeScale } = this.strings;
    const text = fillPlaceholders(
      scale,
      colorings[coloring],
      this.scaleValue(coloring, low),
      this.scaleValue(coloring, high),
    );
    if (lowest === low && highest === high) return text;
    const [from, to] = [this.scaleValue(coloring, lowest), this.scaleValue(coloring, highest)];
    return `${text} ${fillPlaceholders(wholeScale, from, to)}`;
  }

  /** Formats a value of a scale; heights are in meters. */
  scaleValue(coloring: Coloring, value: number): string {
    const text = this.value(value);
    return coloring === 'height' ? fillPlaceholders(this.strings.meters, text) : text;
  }

  facts(reading: CloudReading): readonly CloudFact[] {
    const { facts } = this.strings;
    const { cloud, fields, encoding, withoutPosition: withoutPlace } = reading;
    return [
      { name: facts.points, value: this.shown(reading) },
      ...(withoutPlace > 0
        ? [{ name: facts.withoutPosition, value: this.counts.format(withoutPlace) }]
        : []),
      ...(cloud.bounds ? this.boundsFacts(cloud.bounds) : []),
      { name: facts.fields, value: fields.join(', ') },
      { name: facts.encoding, value: encoding },
    ];
  }

  private boundsFacts({
    low,
    high,
  }: NonNullable<CloudReading['cloud']['bounds']>): readonly CloudFact[] {
    const { facts } = this.strings;
    const sizes = axes.map((_, axis) => this.value((high[axis] ?? 0) - (low[axis] ?? 0)));
    const extents = axes.map((name, axis) =>
      fillPlaceholders(
        facts.extentValue,
        ...[name, this.value(low[axis] ?? 0), this.value(high[axis] ?? 0)],
      ),
    );
    return [
      { name: facts.size, value: fillPlaceholders(facts.sizeValue, ...sizes) },
      { name: facts.extent, value: extents.join(' · ') },
    ];
  }
}
