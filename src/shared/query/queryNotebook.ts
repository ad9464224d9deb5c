import { type Guard, isUndefined, isRecord, isShape, isString } from '../guards';
import { command, request } from '../protocol';
import { resultMessages } from './results';
import type { ResultStrings } from './resultStrings';

/** Contents of a cell's output, which identify the result to show. */
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
  begin: request(isUndefined, isShape<ResultsStart>({ strings: isStrings, locale: isString })),
  /**
   * Reports that an output was rendered. `resultChanged` then reports the current state of its
   * result and every change.
   */
  showResult: command(isCellResult),
} as const;

export type QueryNotebookProtocol = typeof queryNotebookProtocol;
