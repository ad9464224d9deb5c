import { isNumber, isOptional, isShape, isString } from '../guards';
import { isQueryLanguage, type QueryLanguage } from './editor';

/**
 * Range of lines in a file that contain a query. Lines are counted from 1, and the end is
 * inclusive.
 */
export interface FileRange {
  readonly name: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The run that a result belongs to. */
export interface RunOrigin {
  readonly language: QueryLanguage;
  /** Statement as it was run, including the values of its parameters. */
  readonly statement: string;
  /** The name of the organization whose readings were queried. */
  readonly organization: string;
  /** Time of the run, in milliseconds since 1970. */
  readonly at: number;
  /** Source file of the statement; absent for the text of a query panel. */
  readonly file?: FileRange | undefined;
}

export const isFileRange = isShape<FileRange>({
  name: isString,
  firstLine: isNumber,
  lastLine: isNumber,
});

export const isRunOrigin = isShape<RunOrigin>({
  language: isQueryLanguage,
  statement: isString,
  at: isNumber,
  organization: isString,
  file: isOptional(isFileRange),
});

/** A result that a page shows. */
export interface ShownResult {
  readonly result: string;
  /** The run; absent in notebooks, where a result is below its cell. */
  readonly origin?: RunOrigin | undefined;
}

export const isShownResult = isShape<ShownResult>({
  result: isString,
  origin: isOptional(isRunOrigin),
});
