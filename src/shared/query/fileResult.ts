import { isRecord } from '../../base/isRecord';
import {
  type Guarded,
  type Guard,
  isBoolean,
  isUndefined,
  isOptional,
  isShape,
  isString,
} from '../guards';
import { command, notification, request } from '../protocol';
import { isRunOrigin, isShownResult, resultMessages } from './results';

const isViews: Guard<Readonly<Record<string, unknown>>> = isRecord;

/**
 * State that the webview for a file's query result saves so that it can be restored after a window
 * reload.
 */
export const isFileResultState = isShape({
  /** The description of the run. The host reads it; the webview only saves it. */
  run: isString,
  /** States of the page's parts, by name. Each part validates its own state. */
  views: isViews,
});

const isFileResultStart = isShape({
  locale: isString,
  title: isString,
  run: isString,
  origin: isRunOrigin,
  /**
   * True if the rows were lost because the window in which they were loaded was closed or reloaded.
   */
  isLost: isBoolean,
});
export type FileResultStart = Guarded<typeof isFileResultStart>;

/** A result with a description of its run, which the page saves. */
const isShownFileResult = isShape({
  run: isString,
  shown: isShownResult,
});

/** A problem with the service that delays the query; undefined if there is none. */
const isServiceProblem = isShape({
  problem: isOptional(isString),
});

/** Messages between a file's query result view and its host. */
export const fileResultProtocol = {
  ...resultMessages,
  ready: request(isUndefined, isFileResultStart),
  /** Reports that the page is ready. `resultShown` follows unless the rows were lost. */
  begin: command(isUndefined),
  resultShown: notification(isShownFileResult),
  /** Reports that the service stopped responding or responds again. */
  serviceChanged: notification(isServiceProblem),
  /** Runs the same statement again with the same parameter values. */
  runAgain: command(isUndefined),
  /** Shows the lines in the file that were run. */
  showSource: command(isUndefined),
} as const;

export type FileResultProtocol = typeof fileResultProtocol;
