import { type Guard, isNothing, isRecord, isShape, isString } from '../guards';
import { command, request } from '../protocol';
import { resultMessages } from './results';
import type { ResultStrings } from './resultStrings';

/** Contents of a cell's output: the result that it shows. */
export interface CellResult {
  readonly result: string;
}

export const isCellResult = isShape<CellResult>({ result: isString });

/** Data that all outputs of a notebook share. */
export interface ResultsStart {
  readonly strings: ResultStrings;
  readonly locale: string;
}

const isStrings: Guard<ResultStrings> = (value): value is ResultStrings => isRecord(value);

/** Messages between the outputs of a notebook and the extension. */
export const queryNotebookProtocol = {
  ...resultMessages,
  begin: request(isNothing, isShape<ResultsStart>({ strings: isStrings, locale: isString })),
  /**
   * An output was rendered: `resultChanged` reports the progress of its result, immediately and
   * from then on.
   */
  showResult: command(isCellResult),
} as const;

export type QueryNotebookProtocol = typeof queryNotebookProtocol;
