import {
  type Guard,
  isBoolean,
  isUndefined,
  isOptional,
  isRecord,
  isShape,
  isString,
} from '../guards';
import { command, notification, request } from '../protocol';
import { resultMessages } from './results';
import type { ResultStrings } from './resultStrings';
import { isRunOrigin, isShownResult, type RunOrigin, type ShownResult } from './shownResult';

/** State that the webview of a file's result saves to restore it after a window reload. */
export interface FileResultState {
  /** The description of the run. The host reads it; the webview only saves it. */
  readonly run: string;
  /** States of the page's parts by name. Each part validates its own state. */
  readonly views: Readonly<Record<string, unknown>>;
}

const isViews: Guard<Readonly<Record<string, unknown>>> = isRecord;

export const isFileResultState = isShape<FileResultState>({ run: isString, views: isViews });

export interface FileResultStart {
  readonly strings: ResultStrings;
  readonly locale: string;
  readonly title: string;
  readonly run: string;
  readonly origin: RunOrigin;
  /**
   * True if the rows were lost because the window in which they were loaded was closed or reloaded.
   */
  readonly isLost: boolean;
}

/** A result with the description of its run, which the page saves. */
export interface ShownFileResult {
  readonly run: string;
  readonly shown: ShownResult;
}

/** A problem with the service that delays the query; undefined if there is none. */
export interface ServiceProblem {
  readonly problem?: string | undefined;
}

const isStrings: Guard<ResultStrings> = (value): value is ResultStrings => isRecord(value);

/** Messages between the view of a file's query result and its host. */
export const fileResultProtocol = {
  ...resultMessages,
  ready: request(
    isUndefined,
    isShape<FileResultStart>({
      strings: isStrings,
      locale: isString,
      title: isString,
      run: isString,
      origin: isRunOrigin,
      isLost: isBoolean,
    }),
  ),
  /** Reports that the page is ready. `resultShown` follows unless the rows were lost. */
  begin: command(isUndefined),
  resultShown: notification(isShape<ShownFileResult>({ run: isString, shown: isShownResult })),
  /** Reports that the service stopped responding or responds again. */
  serviceChanged: notification(isShape<ServiceProblem>({ problem: isOptional(isString) })),
  /** Runs the same statement again with the same parameter values. */
  runAgain: command(isUndefined),
  /** Shows the lines of the file that were run. */
  showSource: command(isUndefined),
} as const;

export type FileResultProtocol = typeof fileResultProtocol;
