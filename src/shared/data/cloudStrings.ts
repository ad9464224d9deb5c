/** Strings of the point cloud view. */
export interface CloudStrings {
  /** {0} is the name of the file. */
  readonly view: string;
  readonly viewRole: string;
  readonly loading: string;
  /** {0} is a percentage. */
  readonly reading: string;
  /** {0} is the number of displayed points. */
  readonly shown: string;
  /** {0} is the number of displayed points, {1} the number of points in the file. */
  readonly someShown: string;
  /** {0} is the number of points that the file contains, {1} the expected number. */
  readonly partShown: string;
  readonly toolbar: string;
  readonly colorBy: string;
  readonly colorings: { readonly height: string; readonly intensity: string; readonly rgb: string };
  readonly views: {
    readonly label: string;
    readonly whole: string;
    readonly top: string;
    readonly front: string;
    readonly side: string;
  };
  readonly pointSize: string;
  /** {0} is a number of pixels. */
  readonly pixels: string;
  readonly grid: string;
  /** {0} is a length in meters. */
  readonly gridStep: string;
  /** {0} is a number of meters. */
  readonly meters: string;
  /**
   * {0} describes what the colors represent, {1} and {2} are the values of the first and last
   * color.
   */
  readonly scale: string;
  /** {0} and {1} are the lowest and the highest value. */
  readonly wholeScale: string;
  readonly facts: {
    readonly label: string;
    readonly points: string;
    readonly size: string;
    /** {0}, {1} and {2} are lengths in meters along x, y and z. */
    readonly sizeValue: string;
    readonly extent: string;
    /** {0} is an axis, {1} and {2} are its lowest and highest value. */
    readonly extentValue: string;
    readonly fields: string;
    readonly encoding: string;
    readonly withoutPosition: string;
  };
  readonly help: {
    readonly open: string;
    readonly label: string;
    readonly keys: string;
    readonly does: string;
    readonly orbit: string;
    readonly pan: string;
    readonly zoom: string;
    readonly views: string;
    readonly coloring: string;
    readonly pointSize: string;
    readonly grid: string;
    readonly help: string;
    readonly mouse: string;
    readonly mouseDoes: string;
  };
  readonly noWebGl: string;
  readonly lost: string;
  readonly retry: string;
  readonly noScript: string;
  /** {0} is the reason. */
  readonly failed: string;
  readonly noPoints: string;
  /** {0} is the problem with a file that is only partly shown. */
  readonly partly: string;
  readonly problems: {
    readonly notPcd: string;
    /** {0} is a keyword. */
    readonly missingLine: string;
    /** {0} is a keyword. */
    readonly badLine: string;
    /** {0} is a keyword, {1} its number of values, {2} the number of fields. */
    readonly differentLengths: string;
    /** {0} is a number of points, {1} a width, {2} a height. */
    readonly pointsDisagree: string;
    readonly noPositions: string;
    /** {0} is the name of a field. */
    readonly unreadableField: string;
    /** {0} and {1} are numbers of bytes. */
    readonly tooLarge: string;
    /** {0} and {1} are numbers of bytes. */
    readonly sizeDisagrees: string;
    /** {0} and {1} are numbers of points. */
    readonly truncated: string;
    /** {0} and {1} are numbers of bytes. */
    readonly truncatedBytes: string;
    readonly damaged: string;
    /** {0} is the number of a point, {1} the number of points. */
    readonly badPoint: string;
  };
}
