/**
 * What the data panel and the script that draws point clouds know of each other. That script is large and
 * loaded when the first cloud is opened; it puts a `CloudLibrary` where `cloudLibraryKey` says.
 */
export const cloudLibraryKey = 'fleetwrightPointClouds';

/** Ways to color points; a cloud has those for which it has values. */
export const colorings = ['height', 'intensity', 'rgb'] as const;
export type Coloring = (typeof colorings)[number];

/** Where one looks at a cloud from. */
export const cloudViews = ['whole', 'top', 'front', 'side'] as const;
export type CloudView = (typeof cloudViews)[number];

export type Point = readonly [x: number, y: number, z: number];

/** What the colors of points stand for. */
export interface ColorScale {
  /** The values of the first and of the last color; what lies beyond has the same color. */
  readonly low: number;
  readonly high: number;
  /** The values there are. */
  readonly lowest: number;
  readonly highest: number;
  /** CSS colors from low to high, at even distances. */
  readonly colors: readonly string[];
}

/** Points that have a place, and what else the file tells of them. */
export interface Cloud {
  /** How many points the arrays hold. */
  readonly count: number;
  /** x, y and z of each. */
  readonly positions: Float32Array;
  readonly intensities: Float32Array | undefined;
  /** Red, green and blue of each from 0 to 1, linear. */
  readonly colors: Float32Array | undefined;
  /** The box around the points; absent when there is none. */
  readonly bounds: { readonly low: Point; readonly high: Point } | undefined;
}

/** Why a file is not a cloud that can be shown, in the words of `CloudStrings.problems`. */
export type CloudProblemKind =
  | 'notPcd'
  | 'missingLine'
  | 'badLine'
  | 'differentLengths'
  | 'pointsDisagree'
  | 'noPlaces'
  | 'unreadableField'
  | 'tooLarge'
  | 'sizeDisagrees'
  | 'truncated'
  | 'truncatedBytes'
  | 'damaged'
  | 'badPoint';

export interface CloudProblem {
  readonly kind: CloudProblemKind;
  /** For the placeholders of the sentence. Numbers are written as the person's language does. */
  readonly values: readonly (string | number)[];
}

export interface CloudReading {
  readonly encoding: string;
  readonly fields: readonly string[];
  /** How many points the file says it has. */
  readonly claimed: number;
  /** How many were looked at: all, or an even choice of them. */
  readonly taken: number;
  /** Of those, how many have no place. */
  readonly withoutPlace: number;
  readonly cloud: Cloud;
  /** The file ends too early or is damaged; the points before that are there. */
  readonly problem?: CloudProblem;
}

export interface ReadOptions {
  /** Of more points, so many are chosen evenly. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Hears which part is read, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/** Draws one cloud at a time. */
export interface CloudViewer {
  readonly element: HTMLElement;
  /** Shows another cloud, as a whole. */
  show(cloud: Cloud): void;
  /** @returns what the colors stand for; undefined for rgb, whose colors are those of things */
  setColoring(coloring: Coloring): ColorScale | undefined;
  setPointSize(pixels: number): void;
  setGrid(shown: boolean): void;
  /** How far apart the grid's lines are, in meters. */
  readonly gridStep: number;
  look(view: CloudView): void;
  /** Angles in radians. */
  orbit(left: number, up: number): void;
  /** In pixels. */
  pan(right: number, down: number): void;
  /** Above 1 nearer, below 1 farther. */
  zoom(factor: number): void;
  dispose(): void;
}

export interface CloudLibrary {
  /**
   * Reads a PCD file without blocking the window for long.
   *
   * @throws CloudFileError for what cannot be shown at all
   * @throws the signal's reason when aborted
   */
  read(bytes: ArrayBuffer, options: ReadOptions): Promise<CloudReading>;
  /** @returns undefined when this computer cannot draw in 3D */
  createViewer(onLost: () => void): CloudViewer | undefined;
}

/** Not the class's own name, which is another one in each script once it is minified. */
const CLOUD_FILE_ERROR = 'CloudFileError';

/** A file that is no cloud, or none that can be shown. */
export class CloudFileError extends Error {
  override readonly name = CLOUD_FILE_ERROR;

  /** Each script has a class of its own for these errors: they are told by their name. */
  static is(error: unknown): error is CloudFileError {
    return error instanceof Error && error.name === CLOUD_FILE_ERROR && 'problem' in error;
  }

  constructor(readonly problem: CloudProblem) {
    super(`${problem.kind}: ${problem.values.join(', ')}`);
  }
}
