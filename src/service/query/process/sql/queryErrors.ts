import { isDamagedFile, isOutOfMemory, readEngineError } from '../engineError';
import { damagedFiles, exhaustedMemory, failedInside, invalidQuery, JobError } from '../jobError';
import { faultAt } from './queryPlace';

const MAX_MESSAGE = 400;
/** What nobody can do here. */
const SETTING_ADVICE = /\s*\b(?:Use|Try|Consider)\b[^.]*\bSET\b[^.]*\./gi;
/** Faults of the query; what is not here is a fault of ours. */
const QUERY_KINDS = new Set([
  ...['Parser', 'Syntax', 'Binder', 'Catalog', 'Conversion', 'Invalid Input', 'Invalid Type'],
  ...['Out of Range', 'Mismatch Type', 'Divide by Zero', 'Decimal', 'Expression'],
  ...['Constraint', 'Parameter Not Allowed', 'Parameter Not Resolved', 'Optimizer', 'Planner'],
  ...['Value', 'Settings', 'Sequence', 'Invalid Configuration', 'Not implemented'],
]);

/** Where an error of the text that ran is in the text that the user wrote. */
export interface UserText {
  sql: string;
  /** In bytes, with what the user wrote there when something else ran for it. */
  placeOf: (place: number) => { place: number; written?: string };
  /** Puts back what the user wrote. */
  restore: (text: string) => string;
  /** SQL that makes numbers of what it takes of `data` with mixed types. */
  casts: readonly string[];
}

/** Turns what DuckDB throws into what the caller of a query reads. */
export function queryError(error: unknown, text: UserText): unknown {
  if (error instanceof JobError || !(error instanceof Error)) {
    return error;
  }
  const { exception_type: kind, exception_message: message, position } = readEngineError(error);
  if (isOutOfMemory(error)) {
    return exhaustedMemory({ cause: error });
  }
  if (isDamagedFile(error)) {
    return damagedFiles({ cause: error });
  }
  if (kind === 'Permission') {
    return invalidQuery('operation not allowed in queries', { cause: error });
  }
  if (!QUERY_KINDS.has(kind)) {
    return failedInside({ cause: error });
  }
  const said = text.restore(sentenceOf(message));
  const advice = adviceOn(message, text);
  if (position === undefined) {
    return invalidQuery(said + advice, { cause: error });
  }
  const { place, written } = text.placeOf(Number(position));
  // Of a column that must be grouped it knows the first name alone.
  const meant =
    written === undefined
      ? said
      : said.replaceAll(/"data"|\(data\)/g, (name) => name.replace('data', () => written));
  return faultAt({ said: meant, sql: text.sql, offset: place, advice, cause: error });
}

/** What to do about values that are JSON because their types differ. */
function adviceOn(message: string, { casts: [cast] }: UserText): string {
  return cast !== undefined && /JSON|[Cc]onvert|[Cc]ast/.test(message)
    ? `; if values have several types, select those of one type, for example with ${cast}`
    : '';
}

/** A message of DuckDB in a line, without the long lists and the advice that it adds. */
export function sentenceOf(message: string): string {
  const [said = ''] = message.split(/\n\s*(?:Candidate functions|Candidates?:|LINE \d)/);
  const line = said
    .replaceAll(SETTING_ADVICE, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}
