import type * as vscode from 'vscode';
import type { Connection } from '../../core/model/connection';
import type { Event } from '../../base/emitter';
import type { ConnectionId, DatasetId, OrganizationId, PartId } from '../../core/model/ids';
import type { QueryLanguage } from '../../core/model/query';
import type { QueryProblem } from '../../shared/query/results';
import type { FileSource } from '../../core/data/uploads/fileSource';
import type { ReportedProblem } from './commands/bulkReports';

/**
 * Waits for a new connection and, if it is the user's first, introduces the user to the fleet.
 * @param connect returns undefined if it didn't create a new connection
 * @returns the result of `connect`, even if the introduction fails
 * @throws only the errors of `connect`
 */
export type Introduce = <T extends Connection | undefined>(connect: () => Promise<T>) => Promise<T>;

/**
 * Status of the local fleet service, for other features. Calls over its connection start the
 * service.
 */
export interface LocalFleetStatus {
  readonly isRunning: boolean;
  /** Fires when the service might have started or stopped. */
  readonly onDidChange: Event<unknown>;
  /**
   * Resolves to true if the running service was started with permission to run training scripts and
   * still has this permission.
   */
  runsScripts(): Promise<boolean>;
}

/** Query in a file. */
export interface FileQuery {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly language: QueryLanguage;
  /** Text to run: the whole file or the selected part. */
  readonly text: string;
  readonly recent: boolean;
  readonly uri: vscode.Uri;
  /** One-based line range in the file, inclusive. */
  readonly lines: { readonly firstLine: number; readonly lastLine: number };
}

/**
 * Runs a query in a file and shows its result in the file's panel. Prompts for the query's
 * parameter values. Resolves when the query has finished.
 * @returns the problem, with its position in the given text, if the query fails
 * @throws FleetError `canceled` if the user dismisses the prompts, and errors that prevent running
 *   the query.
 */
export type RunQuery = (query: FileQuery) => Promise<QueryProblem | undefined>;

/** Files to upload, from any source. */
export interface FileSearchResult {
  readonly files: readonly FileSource[];
  /** Skipped files with the reasons. */
  readonly skipped: readonly ReportedProblem[];
}

/** Data about an upload that is known before the user is prompted. */
export interface UploadOffer {
  readonly connectionId: ConnectionId;
  /** Target part of the upload. If absent, the user is prompted for it. */
  readonly partId?: PartId | undefined;
  readonly datasets?: readonly DatasetId[];
  readonly found: FileSearchResult;
}

/**
 * Prompts for the upload settings of files, and uploads the files. Throws `canceled` if the user
 * dismisses the prompt.
 */
export type OfferUpload = (offer: UploadOffer) => Promise<void>;

/** Finds the files at the given URIs, or prompts for a selection. Throws `canceled`. */
export type FindUploads = (uris: readonly vscode.Uri[] | undefined) => Promise<FileSearchResult>;
