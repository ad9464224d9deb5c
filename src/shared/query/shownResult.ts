import { type Guarded, isNumber, isOptional, isShape, isString } from '../guards';
import { isQueryLanguage } from './editor';

export const isFileRange = isShape({
  name: isString,
  firstLine: isNumber,
  lastLine: isNumber,
});
/**
 * Range of lines in a file that contain a query. Lines are counted from 1, and the end is
 * inclusive.
 */
export type FileRange = Guarded<typeof isFileRange>;

export const isRunOrigin = isShape({
  language: isQueryLanguage,
  /** Statement as it was run, including its parameter values. */
  statement: isString,
  /** The name of the organization whose readings were queried. */
  organization: isString,
  /** Time of the run, in milliseconds since 1970. */
  at: isNumber,
  /** The statement's source file; absent for a query panel's text. */
  file: isOptional(isFileRange),
});
/** The run that a result belongs to. */
export type RunOrigin = Guarded<typeof isRunOrigin>;

export const isShownResult = isShape({
  result: isString,
  /** The run; absent in notebooks, where a result is below its cell. */
  origin: isOptional(isRunOrigin),
});
/** A result that a page shows. */
export type ShownResult = Guarded<typeof isShownResult>;
