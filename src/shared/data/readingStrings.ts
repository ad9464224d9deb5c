import type {
  ChooserStrings,
  ChartTableStrings,
  GridStrings,
  TableToolStrings,
  ViewerStrings,
} from '../tableStrings';
import type { fixedColumns } from './readings';

/** Strings of the readings tab. The webview replaces the placeholders in braces. */
export interface ReadingStrings {
  readonly views: {
    readonly label: string;
    readonly table: string;
    readonly chart: string;
    readonly latest: string;
  };
  readonly tools: TableToolStrings & {
    readonly newestFirst: string;
    readonly oldestFirst: string;
    readonly timesInUtc: string;
  };
  readonly table: GridStrings & {
    readonly columnNames: Readonly<Record<(typeof fixedColumns)[number], string>>;
  };
  readonly columns: ChooserStrings;
  readonly status: {
    /** {0} is the number of loaded readings, {1} the total number. */
    readonly read: string;
    readonly all: string;
    readonly sorted: string;
    readonly readAll: string;
    readonly readMost: string;
    readonly reading: string;
    readonly stop: string;
    readonly full: string;
    readonly overflow: string;
    readonly selectedOne: string;
    readonly selected: string;
  };
  readonly viewer: ViewerStrings;
  readonly states: {
    readonly loading: string;
    readonly empty: string;
    readonly nothingYet: string;
    readonly failed: string;
  };
  readonly chart: ChartTableStrings & {
    readonly label: string;
    readonly choose: string;
    readonly chooseHint: string;
    readonly noNumbers: string;
    readonly keys: string;
    /** {0} is the number of points, {1} and {2} are the first and last times. */
    readonly points: string;
    readonly rows: string;
    readonly thinned: string;
    readonly leftOut: string;
    readonly mostColumns: string;
    readonly wholeSpan: string;
    readonly noData: string;
  };
  readonly latest: {
    readonly label: string;
    readonly resource: string;
    readonly method: string;
    readonly when: string;
    readonly value: string;
    readonly noData: string;
    /** {0} is the number of resources, {1} the number of readings. */
    readonly among: string;
    readonly refresh: string;
  };
}
