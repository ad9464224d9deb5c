import * as vscode from 'vscode';
import { schemes } from '../../manifest/schemes';

/** Read-only texts: previews and reports of bulk work, and answers of modules. They end with the window. */
export class BulkDocuments implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private made = 0;

  /** Keeps a text under a path, which several may share: it is what people see of the address. */
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
      vscode.l10n.t('This merge is no longer available. Close the editor.')
    );
  }
}
