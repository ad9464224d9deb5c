import * as l10n from '@vscode/l10n';

/**
 * Interface between the data panel and the script that draws point clouds. The script is large, so
 * it is loaded when the user opens the first cloud; it then sets a `CloudLibrary` under
 * `cloudLibraryKey`.
 */
export const cloudLibraryKey = 'fleetwrightPointClouds';

/** Colorings of points. A cloud supports the colorings for which it has values. */
export const colorings = ['height', 'intensity', 'rgb'] as const;
export type Coloring = (typeof colorings)[number];

/** Camera positions for a cloud. */
export const cloudViews = ['whole', 'top', 'front', 'side'] as const;
export type CloudView = (typeof cloudViews)[number];

export type Point = readonly [x: number, y: number, z: number];

/** Meaning of the points' colors. */
export interface ColorScale {
  /**
   * Value that the first color represents; `high` is the value for the last color. Values outside
   * this range get the first or last color.
   */
  readonly low: number;
  readonly high: number;
  /** Range of the actual values. */
  readonly lowest: number;
  readonly highest: number;
  /** CSS colors from low to high, evenly spaced. */
  readonly colors: readonly string[];
}

/** Points in a file that have a position, with their other values. */
export interface Cloud {
  /** Number of points in the arrays. */
  readonly count: number;
  /** x, y, and z for each point. */
  readonly positions: Float32Array;
  readonly intensities: Float32Array | undefined;
  /** Linear red, green, and blue for each point, from 0 to 1. */
  readonly colors: Float32Array | undefined;
  /** Bounding box around the points; absent if there are none. */
  readonly bounds: { readonly low: Point; readonly high: Point } | undefined;
}

/** Reasons why a file can't be shown as a cloud. */
export type CloudProblemKind =
  | 'notPcd'
  | 'missingLine'
  | 'badLine'
  | 'differentLengths'
  | 'pointsDisagree'
  | 'noPositions'
  | 'unreadableField'
  | 'tooLarge'
  | 'sizeDisagrees'
  | 'truncated'
  | 'truncatedBytes'
  | 'damaged'
  | 'badPoint';

export interface CloudProblem {
  readonly kind: CloudProblemKind;
  /** Values for the sentence's placeholders. Numbers are formatted in the user's language. */
  readonly values: readonly (string | number)[];
}

export interface CloudReading {
  readonly encoding: string;
  readonly fields: readonly string[];
  /** Number of points that the file declares. */
  readonly claimed: number;
  /** Number of points that were read: all points or an even sample. */
  readonly taken: number;
  /** Number of read points that have no position. */
  readonly withoutPosition: number;
  readonly cloud: Cloud;
  /** Problem in a truncated or damaged file. The points before the problem are available. */
  readonly problem?: CloudProblem;
}

export interface ReadOptions {
  /** Maximum number of points; larger clouds are sampled evenly. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Receives the fraction of the file that has been read, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/** Draws one cloud at a time. */
export interface CloudViewer {
  readonly element: HTMLElement;
  /** Shows another cloud and fits it into the view. */
  show(cloud: Cloud): void;
  /**
   * Colors the points.
   * @returns the meaning of the colors; undefined for rgb, where points have their real colors
   */
  setColoring(coloring: Coloring): ColorScale | undefined;
  setPointSize(pixels: number): void;
  setGrid(shown: boolean): void;
  /** Distance between grid lines in meters. */
  readonly gridStep: number;
  setView(view: CloudView): void;
  /** Orbits the camera; angles are in radians. */
  orbit(left: number, up: number): void;
  /** Pans the view; distances are in pixels. */
  pan(right: number, down: number): void;
  /** Zooms by a factor: values above 1 zoom in; values below 1 zoom out. */
  zoom(factor: number): void;
  dispose(): void;
}

export interface CloudLibrary {
  /**
   * Reads a PCD file without blocking the event loop for long.
   *
   * @throws CloudFileError if nothing can be shown
   * @throws the signal's reason when aborted
   */
  read(bytes: ArrayBuffer, options: ReadOptions): Promise<CloudReading>;
  /** @returns undefined if this computer can't draw in 3D */
  createViewer(onLost: () => void): CloudViewer | undefined;
}

/**
 * Name by which errors are identified. It isn't derived from the class name, which differs between
 * minified scripts.
 */
const CLOUD_FILE_ERROR = 'CloudFileError';

/** Error for a file that isn't a point cloud or can't be shown. */
export class CloudFileError extends Error {
  override readonly name = CLOUD_FILE_ERROR;

  /** Identifies these errors by name, because each script has its own copy of the class. */
  static is(error: unknown): error is CloudFileError {
    return error instanceof Error && error.name === CLOUD_FILE_ERROR && 'problem' in error;
  }

  constructor(readonly problem: CloudProblem) {
    super(`${problem.kind}: ${problem.values.join(', ')}`);
  }
}

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
  constructor(locale: string | undefined) {
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
    const count = this.counts.format(cloud.count);
    const total = this.counts.format(claimed);
    if (taken === claimed) return l10n.t('{0} points', count);
    return problem
      ? l10n.t('{0} of {1} points', count, total)
      : l10n.t('Showing {0} of {1} evenly sampled points', count, total);
  }

  problem({ kind, values }: CloudProblem): string {
    const inMegabytes = kind === 'tooLarge';
    const texts = values.map((value) => {
      if (typeof value === 'string') return value;
      return this.counts.format(inMegabytes ? Math.round(value / BYTES_PER_MEGABYTE) : value);
    });
    return describeProblem(kind, texts);
  }

  /** Describes the values that the colors represent. */
  scale(coloring: Coloring, { low, high, lowest, highest }: ColorScale): string {
    const text = l10n.t(
      '{0}: {1} to {2}',
      getColoringNames()[coloring],
      this.scaleValue(coloring, low),
      this.scaleValue(coloring, high),
    );
    if (lowest === low && highest === high) return text;
    const [from, to] = [this.scaleValue(coloring, lowest), this.scaleValue(coloring, highest)];
    return `${text} ${l10n.t('(all values: {0} to {1})', from, to)}`;
  }

  /** Formats a value on a scale; heights are in meters. */
  scaleValue(coloring: Coloring, value: number): string {
    const text = this.value(value);
    return coloring === 'height' ? l10n.t('{0} m', text) : text;
  }

  facts(reading: CloudReading): readonly CloudFact[] {
    const { cloud, fields, encoding, withoutPosition } = reading;
    return [
      { name: l10n.t('Points'), value: this.shown(reading) },
      ...(withoutPosition > 0
        ? [
            {
              name: l10n.t('Points without a position'),
              value: this.counts.format(withoutPosition),
            },
          ]
        : []),
      ...(cloud.bounds ? this.boundsFacts(cloud.bounds) : []),
      { name: l10n.t('Fields'), value: fields.join(', ') },
      { name: l10n.t('Encoding'), value: encoding },
    ];
  }

  private boundsFacts({
    low,
    high,
  }: NonNullable<CloudReading['cloud']['bounds']>): readonly CloudFact[] {
    const sizes = axes.map((_, axis) => this.value((high[axis] ?? 0) - (low[axis] ?? 0)));
    const extents = axes.map((name, axis) =>
      l10n.t(
        '{0} from {1} to {2} m',
        name,
        this.value(low[axis] ?? 0),
        this.value(high[axis] ?? 0),
      ),
    );
    return [
      { name: l10n.t('Size'), value: l10n.t('{0} × {1} × {2} m', ...sizes) },
      { name: l10n.t('Extent'), value: extents.join(' · ') },
    ];
  }
}

function describeProblem(kind: CloudProblem['kind'], values: readonly string[]): string {
  switch (kind) {
    case 'notPcd':
      return l10n.t('This is not a PCD file: there is no PCD header at its start.');
    case 'missingLine':
      return l10n.t('The file header has no {0} line.', ...values);
    case 'badLine':
      return l10n.t('The {0} line in the file header is not valid in a PCD file.', ...values);
    case 'differentLengths':
      return l10n.t('The {0} line in the file header has {1} values for {2} fields.', ...values);
    case 'pointsDisagree':
      return l10n.t('The file header specifies {0} points, but also {1} × {2} points.', ...values);
    case 'noPositions':
      return l10n.t(
        "The file doesn't have the fields x, y, and z, so its points have no positions.",
      );
    case 'unreadableField':
      return l10n.t('The field {0} in the file contains values of an unsupported type.', ...values);
    case 'tooLarge':
      return l10n.t(
        'The points take {0} MB when decompressed. The maximum that can be shown is {1} MB. Download the file instead.',
        ...values,
      );
    case 'sizeDisagrees':
      return l10n.t(
        'The file declares {0} bytes of decompressed point data, but its header implies {1} bytes.',
        ...values,
      );
    case 'truncated':
      return l10n.t('The file ends after {0} of {1} points.', ...values);
    case 'truncatedBytes':
      return l10n.t('The file ends after {0} of {1} bytes of its compressed points.', ...values);
    case 'damaged':
      return l10n.t('The compressed point data in the file is damaged.');
    case 'badPoint':
      return l10n.t('Point {0} of {1} has too few values.', ...values);
  }
}

/** Returns the names of what colors can represent. */
export function getColoringNames(): Readonly<Record<Coloring, string>> {
  return { height: l10n.t('Height'), intensity: l10n.t('Intensity'), rgb: l10n.t('RGB') };
}
