import type * as vscode from 'vscode';
import type { FileSource } from '../../core/data/uploads/fileSource';
import type { ConnectionId, DatasetId, PartId } from '../../core/model/ids';
import type { ReportedProblem } from './bulkReport';

/** Files that somebody wants to upload, wherever they come from. */
export interface FoundFiles {
  readonly files: readonly FileSource[];
  /** What is left out, and why. */
  readonly skipped: readonly ReportedProblem[];
}

/** What is known before the person is asked. */
export interface UploadOffer {
  readonly connectionId: ConnectionId;
  /** The part to upload to; asked for when it is absent. */
  readonly partId?: PartId | undefined;
  readonly datasets?: readonly DatasetId[];
  readonly found: FoundFiles;
}

/** Asks how the files are to be uploaded, and does it. Throws `canceled` when the person leaves. */
export type OfferUpload = (offer: UploadOffer) => Promise<void>;

/** The files among what is at some places, or among what the person chooses. Throws `canceled`. */
export type FindUploads = (uris: readonly vscode.Uri[] | undefined) => Promise<FoundFiles>;
