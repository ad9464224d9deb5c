import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { createConfigSource, createHistorySource } from '../../../core/documents/documentSources';
import { presentJson } from '../../../core/documents/jsonText';
import { findReplacedState } from '../../../core/documents/revisionList';
import { withToken } from '../../../base/cancellation';
import { toFleetError } from '../../../core/api/errors';
import type { SessionProvider } from '../../platform/sessionProvider';
import {
  getFileName,
  parseRevisionAddress,
  type RevisionAddress,
} from '../../platform/documents/documentUris';
import type { Snapshot } from '../../../core/documents/configSource';
import { schemes } from '../../../manifest/contributions';

/** Provides read-only text documents: versions of documents, by URI, and merges under review. */
export class RevisionContent extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly sessions: SessionProvider,
    private readonly previews: MergePreviews,
  ) {
    super();
  }

  /**
   * Reloads a text document, because the current version can differ from the last displayed one.
   */
  refresh(uri: vscode.Uri): void {
    this.changed.fire(uri);
  }

  async provideTextDocumentContent(
    uri: vscode.Uri,
    token: vscode.CancellationToken,
  ): Promise<string> {
    const merged = this.previews.findText(uri);
    if (merged !== undefined) return merged;
    const revision = parseRevisionAddress(uri);
    if (!revision) {
      return vscode.l10n.t('This comparison is no longer available. Close the editor.');
    }
    try {
      return presentJson(await withToken(token, (signal) => this.read(revision, signal)));
    } catch (error) {
      // Show the error as the content, because VS Code would otherwise show an empty editor.
      return toFleetError(error).message;
    }
  }

  private async read({ address, key }: RevisionAddress, signal: AbortSignal): Promise<string> {
    const stores = this.sessions.stores(address.connectionId);
    if (key === 'current') {
      const source = createConfigSource(stores, address.subject);
      return (await source.read(signal)).text;
    }
    const history = createHistorySource(stores, address.subject);
    const state = history && (await findReplacedState(history, key, signal));
    return state?.configText ?? vscode.l10n.t('The service no longer has this version.');
  }
}

/** Merge that is displayed and not yet saved. */
export interface MergePreview {
  readonly document: vscode.Uri;
  /** Remote version that was merged. */
  readonly remote: Snapshot;
  readonly text: string;
  /** The document's text at the time of the merge, or after the merge was applied to it. */
  readonly edited: string;
}

/** Merges under review, each with a separate URI. They exist until the window closes. */
export class MergePreviews {
  private readonly previews = new Map<string, MergePreview>();
  private lastNumber = 0;

  add(preview: MergePreview): vscode.Uri {
    this.lastNumber += 1;
    const path = `/merge/${this.lastNumber}/${getFileName(preview.document)}`;
    const uri = vscode.Uri.from({ scheme: schemes.revision, path });
    this.previews.set(uri.toString(), preview);
    return uri;
  }

  get(uri: vscode.Uri): MergePreview | undefined {
    return this.previews.get(uri.toString());
  }

  findText(uri: vscode.Uri): string | undefined {
    return this.get(uri)?.text;
  }

  /** Returns the reviews for a document. */
  of(document: vscode.Uri): vscode.Uri[] {
    return [...this.previews]
      .filter(([, preview]) => preview.document.toString() === document.toString())
      .map(([uri]) => vscode.Uri.parse(uri));
  }

  /** Replaces the preview for a review that is still open. */
  update(uri: vscode.Uri, preview: MergePreview): void {
    if (this.get(uri)) this.previews.set(uri.toString(), preview);
  }

  delete(uri: vscode.Uri): void {
    this.previews.delete(uri.toString());
  }
}
