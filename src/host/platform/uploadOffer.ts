import type * as vscode from 'vscode';
import type { FileSource } from '../../core/data/uploads/fileSource';
import type { ConnectionId, DatasetId, PartId } from '../../core/model/ids';
import type { ReportedProblem } from './commands/bulkReports';

/** Files to upload, from any source. */
export interface FoundFiles {
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
  readonly found: FoundFiles;
}

/**
 * Prompts for the upload settings of files, and uploads the files. Throws `canceled` if the user
 * dismisses the prompt.
 */
export type OfferUpload = (offer: UploadOffer) => Promise<void>;

/** Finds the files at the given URIs, or prompts for a selection. Throws `canceled`. */
export type FindUploads = (uris: readonly vscode.Uri[] | undefined) => Promise<FoundFiles>;
