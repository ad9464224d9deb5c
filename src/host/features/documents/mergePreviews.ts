import * as vscode from 'vscode';
import type { Snapshot } from '../../../core/documents/configSource';
import { schemes } from '../../../manifest/schemes';
import { fileNameOf } from '../../platform/documentUris';

/** A merge that is shown and not yet saved. */
export interface MergePreview {
  readonly document: vscode.Uri;
  /** The state of the service that was merged in. */
  readonly remote: Snapshot;
  readonly text: string;
  /** The version of the edited document the merge was made of. */
  readonly documentVersion: number;
}

/** Merges under review, each at a URI of its own. They end with the window. */
export class MergePreviews {
  private readonly previews = new Map<string, MergePreview>();
  private made = 0;

  add(preview: MergePreview): vscode.Uri {
    this.made += 1;
    const path = `/merge/${this.made}/${fileNameOf(preview.document)}`;
    const uri = vscode.Uri.from({ scheme: schemes.revision, path });
    this.previews.set(uri.toString(), preview);
    return uri;
  }

  get(uri: vscode.Uri): MergePreview | undefined {
    return this.previews.get(uri.toString());
  }

  textOf(uri: vscode.Uri): string | undefined {
    return this.get(uri)?.text;
  }

  /** Ends a review. @returns what was shown, to whoever ends it first */
  take(uri: vscode.Uri): MergePreview | undefined {
    const preview = this.get(uri);
    this.previews.delete(uri.toString());
    return preview;
  }
}
