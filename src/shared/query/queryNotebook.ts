import { type Guard, isNothing, isRecord, isShape, isString } from '../guards';
import { command, request } from '../protocol';
import { resultMessages } from './results';
import type { ResultStrings } from './resultStrings';

/** What the output of a cell says: which result it shows. */
export interface CellResult {
  readonly result: string;
}

export const isCellResult = isShape<CellResult>({ result: isString });

/** What all outputs of a notebook need, once. */
export interface ResultsStart {
  readonly strings: ResultStrings;
  readonly locale: string;
}

const isStrings: Guard<ResultStrings> = (value): value is ResultStrings => isRecord(value);

/** What the outputs of a notebook and the extension say to each other. */
export const queryNotebookProtocol = {
  ...resultMessages,
  begin: request(isNothing, isShape<ResultsStart>({ strings: isStrings, locale: isString })),
  /** An output is there: `resultChanged` tells it how far its result is, at once and from then on. */
  showResult: command(isCellResult),
} as const;

export type QueryNotebookProtocol = typeof queryNotebookProtocol;
