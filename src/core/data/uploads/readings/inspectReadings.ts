import { lacksZone } from './captureTime';
import { type CellType, ColumnGuess, type TypeDoubt } from './columnGuess';
import { readingOf, type TimeChoice } from './readingsOf';
import type { ColumnTypes, ReadingRow, ReadingsLayout, RowProblem, SourceRow } from './readingRow';

const SHOWN_ROWS = 5;
const LISTED_PROBLEMS = 100;
const LISTED_COMPONENTS = 100;

export interface InspectedColumn {
  readonly name: string;
  readonly type: CellType;
  /** Rows that have something there. */
  readonly filled: number;
  readonly doubt?: TypeDoubt | undefined;
}

/** What would become of a file. */
export interface Inspection {
  /** Rows that become readings. */
  readonly readings: number;
  readonly problems: { readonly count: number; readonly first: readonly RowProblem[] };
  readonly columns: readonly InspectedColumn[];
  readonly types: ColumnTypes;
  /** The first readings as they would be stored. */
  readonly sample: readonly ReadingRow[];
  /** Of the readings, in microseconds since 1970. */
  readonly span: { readonly first: number; readonly last: number } | undefined;
  /** Whether some time does not tell its zone. */
  readonly assumesZone: boolean;
  /** The components that rows name themselves; no more than a hundred. */
  readonly components: readonly string[];
}

/**
 * Reads the whole file once, and keeps little of it.
 * @throws ReadingsRefusal, and what the file throws.
 */
export async function inspectReadings(
  layout: ReadingsLayout,
  time: TimeChoice,
  signal: AbortSignal,
): Promise<Inspection> {
  const guesses = new Map(layout.columns.map((name) => [name, new ColumnGuess()]));
  const none: ColumnTypes = new Map();
  const head: SourceRow[] = [];
  const listed: RowProblem[] = [];
  const components = new Set<string>();
  let [readings, problems, first, last] = [0, 0, Infinity, -Infinity];
  let assumesZone = false;
  for await (const source of layout.rows(signal)) {
    // Types do not decide whether a row can be stored.
    const result = readingOf(source, time, none);
    if ('problem' in result) {
      problems += 1;
      if (listed.length < LISTED_PROBLEMS) listed.push(result.problem);
      continue;
    }
    source.note(guesses);
    readings += 1;
    const { at, component } = result.row;
    first = Math.min(first, at);
    last = Math.max(last, at);
    assumesZone ||= time.form.kind === 'iso' && lacksZone(source.timeText(time.column));
    if (head.length < SHOWN_ROWS) head.push(source);
    if (component !== undefined && components.size < LISTED_COMPONENTS) components.add(component);
  }
  const typeOf = typesIn([...guesses.values()], layout);
  const columns = [...guesses].map(([name, guess]) => {
    const { filled, doubt } = guess;
    const type = typeOf(guess);
    return { name, type, filled, ...(type === 'text' && { doubt }) };
  });
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return {
    ...{ readings, columns, types, assumesZone },
    problems: { count: problems, first: listed },
    sample: head
      .map((source) => readingOf(source, time, types))
      .flatMap((result) => ('row' in result ? [result.row] : [])),
    span: readings > 0 ? { first, last } : undefined,
    components: [...components],
  };
}

/**
 * Numbers of a table are all written alike. With commas between its cells, those within are not told from
 * commas between thousands.
 */
function typesIn(
  guesses: readonly ColumnGuess[],
  { delimiter = ',' }: ReadingsLayout,
): (guess: ColumnGuess) => CellType {
  const hasCommas = delimiter !== ',' && guesses.some((guess) => guess.hasDecimalCommas);
  if (!hasCommas) return ({ type }) => type;
  const isMixed = guesses.some((guess) => guess.hasDecimalDots);
  return (guess) => (isMixed && !guess.hasDecimalCommas ? guess.type : guess.typeAmongCommas);
}
