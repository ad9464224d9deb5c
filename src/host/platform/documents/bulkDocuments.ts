import * as vscode from 'vscode';
import { schemes } from '../../../manifest/contributions';

/**
 * Provider of read-only documents: previews and reports of bulk actions, and responses of modules.
 * The documents exist until the window closes.
 */
export class BulkDocuments implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private made = 0;

  /** Stores text under a path. The path is only for display and doesn't have to be unique. */
  add(text: string, path: string): vscode.Uri {
    this.made += 1;
    const uri = vscode.Uri.from({
      scheme: schemes.bulk,
      path: `/${path}`,
      query: String(this.made),
    });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  remove(uri: vscode.Uri): void {
    this.texts.delete(uri.toString());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.texts.get(uri.toString()) ??
      vscode.l10n.t('This page is no longer available. Close the editor.')
    );
  }
}
