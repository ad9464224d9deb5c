import * as vscode from 'vscode';
import type { Snapshot } from '../../../core/documents/configSource';
import { schemes } from '../../../manifest/schemes';
import { getFileName } from '../../platform/documentUris';

/** Merge that is displayed and not yet saved. */
export interface MergePreview {
  readonly document: vscode.Uri;
  /** Remote version that was merged. */
  readonly remote: Snapshot;
  readonly text: string;
  /** Text of the document at the time of the merge. */
  readonly edited: string;
}

/** Merges under review, each with its own URI. They exist until the window closes. */
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

  /** Returns the reviews of a document. */
  of(document: vscode.Uri): vscode.Uri[] {
    return [...this.previews]
      .filter(([, preview]) => preview.document.toString() === document.toString())
      .map(([uri]) => vscode.Uri.parse(uri));
  }

  /** Replaces the preview of a review that is still open. */
  update(uri: vscode.Uri, preview: MergePreview): void {
    if (this.get(uri)) this.previews.set(uri.toString(), preview);
  }

  delete(uri: vscode.Uri): void {
    this.previews.delete(uri.toString());
  }
}
