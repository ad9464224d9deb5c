import * as vscode from 'vscode';
import { Disposable } from '../../../../base/disposable';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import { datasetId, partId } from '../../../../core/model/ids';
import {
  type dropMessages,
  type DroppedFiles,
  type FileRequest,
  MAX_DROPPED_FILES,
} from '../../../../shared/data/drops';
import type { HostHandlers } from '../../../../shared/protocol';
import type { ReportedProblem } from '../../../platform/commands/bulkReports';
import { formatNumber } from '../../../platform/text/displayText';
import type { FindUploads, OfferUpload, UploadOffer } from '../../../platform/featureInterfaces';
import type { DataSession } from '../dataSession';
import { type DropMessages, DroppedReads } from './droppedReads';

export interface DropOptions {
  readonly session: DataSession;
  readonly offerUpload: OfferUpload;
  readonly findUploads: FindUploads;
  readonly requestFile: (file: FileRequest) => void;
  readonly release: (drop: number) => void;
}

/**
 * Handles files that the user drops into a panel or selects in it, which are uploaded to the
 * panel's part and dataset.
 */
export class DropSession extends Disposable {
  private readonly reads: DroppedReads;

  constructor(private readonly options: DropOptions) {
    super();
    this.reads = this.register(new DroppedReads(options.requestFile, getDropMessages()));
  }

  /** Handles the page being unloaded, which makes the dropped files unavailable. */
  onPageClosed(): void {
    this.reads.pageClosed();
  }

  handlers(): HostHandlers<typeof dropMessages> {
    return {
      ...this.reads.handlers(),
      chooseFiles: () => this.upload(undefined),
      dropUris: ({ uris }) => this.upload(uris),
      dropFiles: (dropped) => this.dropped(dropped),
    };
  }

  private async upload(uris: readonly string[] | undefined): Promise<void> {
    const { offerUpload, findUploads } = this.options;
    const found = await findUploads(uris?.map((uri) => vscode.Uri.parse(uri)));
    await offerUpload({ ...this.uploadTarget, found });
  }

  /**
   * Handles dropped files. The page has access to the files until it is unloaded, so a failed
   * upload can be retried until then.
   */
  private async dropped(dropped: DroppedFiles): Promise<void> {
    const { drop, files, tooMany } = dropped;
    if (tooMany || files.length > MAX_DROPPED_FILES) throw tooManyFiles();
    const skipped = toSkippedProblems(dropped);
    const sources = files.map((file, index) => this.reads.source(drop, index, file));
    try {
      await this.options.offerUpload({ ...this.uploadTarget, found: { files: sources, skipped } });
    } catch (error) {
      this.options.release(drop);
      throw error;
    }
  }

  /** Returns the upload target that the panel's filter specifies, if any. */
  private get uploadTarget(): Omit<UploadOffer, 'found'> {
    const { connectionId, filter } = this.options.session;
    return {
      connectionId,
      ...(filter.part !== '' && { partId: partId(filter.part) }),
      ...(filter.dataset !== '' && { datasets: [datasetId(filter.dataset)] }),
    };
  }
}

function getDropMessages(): DropMessages {
  return {
    gone: (path) =>
      vscode.l10n.t(
        '"{0}" was dropped into a panel that is closed or hidden behind another tab, so it can\'t be read. Drop it again and keep the panel visible, or use "Upload Files to Part…".',
        toDisplayText(path),
      ),
    unreadable: (path, reason) =>
      vscode.l10n.t('Couldn\'t read "{0}". {1}', toDisplayText(path), toDisplayText(reason)),
    changed: (path) =>
      vscode.l10n.t(
        '"{0}" changed after it was selected. Upload it again when no program is writing to it.',
        toDisplayText(path),
      ),
  };
}

function tooManyFiles(): FleetError {
  const message = vscode.l10n.t(
    'You selected more than {0} files. To upload an entire folder, use "Upload Files to Part…".',
    formatNumber(MAX_DROPPED_FILES),
  );
  return new FleetError('invalid', message);
}

function toSkippedProblems({
  hidden,
  unreadable,
}: Pick<DroppedFiles, 'hidden' | 'unreadable'>): readonly ReportedProblem[] {
  const because =
    (reason: string) =>
    (path: string): ReportedProblem => ({ name: toDisplayText(path), reason });
  return [
    ...unreadable.map(because(vscode.l10n.t("It can't be read."))),
    ...hidden.map(because(vscode.l10n.t('It is hidden.'))),
  ];
}
