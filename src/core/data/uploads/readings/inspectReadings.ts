import { isZoneMissing } from './captureTime';
import { type CellType, ColumnTypeDetector, type TypeConflict } from './columnGuess';
import {
  type ColumnTypes,
  type ReadingRow,
  type ReadingsLayout,
  type RowProblem,
  type SourceRow,
  type TimeChoice,
  toReading,
} from './readingRow';

const SHOWN_ROWS = 5;
const LISTED_PROBLEMS = 100;
const LISTED_COMPONENTS = 100;

export interface InspectedColumn {
  readonly name: string;
  readonly type: CellType;
  /** Number of rows that have a value in the column. */
  readonly filled: number;
  readonly conflict?: TypeConflict | undefined;
}

/** Preview of an import. */
export interface Inspection {
  /** Number of rows that can be stored as readings. */
  readonly readings: number;
  readonly problems: { readonly count: number; readonly first: readonly RowProblem[] };
  readonly columns: readonly InspectedColumn[];
  readonly types: ColumnTypes;
  /** First readings, in their stored form. */
  readonly sample: readonly ReadingRow[];
  /** Time range of the readings, in microseconds since 1970. */
  readonly span: { readonly first: number; readonly last: number } | undefined;
  /** True if at least one time doesn't specify a time zone. */
  readonly assumesZone: boolean;
  /** Components that the rows specify, at most 100. */
  readonly components: readonly string[];
}

/**
 * Inspects a file by reading all of it once, in bounded memory.
 * @throws ReadingsError, and errors from the file.
 */
export async function inspectReadings(
  layout: ReadingsLayout,
  time: TimeChoice,
  signal: AbortSignal,
): Promise<Inspection> {
  const detectors = new Map(layout.columns.map((name) => [name, new ColumnTypeDetector()]));
  const none: ColumnTypes = new Map();
  const head: SourceRow[] = [];
  const listed: RowProblem[] = [];
  const components = new Set<string>();
  let [readings, problems, first, last] = [0, 0, Infinity, -Infinity];
  let assumesZone = false;
  for await (const source of layout.rows(signal)) {
    // The values' types don't affect whether a row can be stored.
    const result = toReading(source, time, none);
    if ('problem' in result) {
      problems += 1;
      if (listed.length < LISTED_PROBLEMS) listed.push(result.problem);
      continue;
    }
    source.note(detectors);
    readings += 1;
    const { at, component } = result.row;
    first = Math.min(first, at);
    last = Math.max(last, at);
    assumesZone ||= time.form.kind === 'iso' && isZoneMissing(source.timeText(time.column));
    if (head.length < SHOWN_ROWS) head.push(source);
    if (component !== undefined && components.size < LISTED_COMPONENTS) components.add(component);
  }
  const typeOf = typesIn([...detectors.values()], layout);
  const columns = [...detectors].map(([name, guess]) => {
    const { filled, conflict } = guess;
    const type = typeOf(guess);
    return { name, type, filled, ...((type === 'text' || type === 'mixed') && { conflict }) };
  });
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return {
    readings,
    columns,
    types,
    assumesZone,
    problems: { count: problems, first: listed },
    sample: head
      .map((source) => toReading(source, time, types))
      .flatMap((result) => ('row' in result ? [result.row] : [])),
    span: readings > 0 ? { first, last } : undefined,
    components: [...components],
  };
}

/**
 * Returns the column types. All numbers in a table have the same format. If commas separate the
 * cells, decimal commas can't be distinguished from thousands separators.
 */
function typesIn(
  detectors: readonly ColumnTypeDetector[],
  { delimiter = ',' }: ReadingsLayout,
): (detector: ColumnTypeDetector) => CellType {
  const hasCommas = delimiter !== ',' && detectors.some((detector) => detector.hasDecimalCommas);
  if (!hasCommas) return ({ type }) => type;
  const isMixed = detectors.some((detector) => detector.hasDecimalDots);
  return (detector) =>
    isMixed && !detector.hasDecimalCommas ? detector.type : detector.typeAmongCommas;
}
