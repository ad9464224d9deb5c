import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { DocumentFile } from '../../../core/documents/documentFile';
import type { DocumentFiles } from '../../../core/documents/documentFiles';
import type { Clock } from '../../../core/ports';
import { parseDocumentAddress } from '../../platform/documents/documentUris';
import { replaceText } from '../../platform/documents/replaceText';

/** Minimum time in milliseconds between two refreshes of a document when its editor gets focus. */
const REFRESH_INTERVAL_MS = 2_000;

/**
 * Reports VS Code's document events to the files, refreshes a document when its editor gets focus,
 * and restores edits that VS Code considered saved.
 */
export class EditorTracker extends Disposable {
  private readonly refreshedAt = new Map<string, number>();

  constructor(
    private readonly files: DocumentFiles,
    private readonly clock: Clock,
  ) {
    super();
    const { workspace, window } = vscode;
    this.register(files.onDidReplaceEdits(({ uri, text }) => void putBack(uri, text)));
    for (const document of workspace.textDocuments) this.noteStateChange(document);
    this.register(workspace.onDidOpenTextDocument((document) => this.noteStateChange(document)));
    this.register(
      workspace.onWillSaveTextDocument(({ document }) =>
        this.findFile(document.uri)?.noteWillSave(),
      ),
    );
    this.register(workspace.onDidSaveTextDocument((document) => this.noteStateChange(document)));
    this.register(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // VS Code also fires this event, without changes, when a document becomes dirty or clean.
        if (contentChanges.length === 0) this.noteStateChange(document);
        else this.findFile(document.uri)?.noteEdited(document);
      }),
    );
    this.register(
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.files.peek(uri.toString())?.noteClosed();
        this.refreshedAt.delete(uri.toString());
      }),
    );
    this.register(window.onDidChangeActiveTextEditor((editor) => this.refreshOnReturn(editor)));
    this.register(
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) window.visibleTextEditors.forEach((editor) => this.refreshOnReturn(editor));
      }),
    );
  }

  private noteStateChange(document: vscode.TextDocument): void {
    if (!document.isClosed) this.findFile(document.uri)?.noteStateChange(document);
  }

  private refreshOnReturn(editor: vscode.TextEditor | undefined): void {
    const uri = editor?.document.uri;
    const file = uri && this.findFile(uri);
    if (!file) return;
    const now = this.clock.now().getTime();
    const last = this.refreshedAt.get(file.uri) ?? 0;
    if (now - last < REFRESH_INTERVAL_MS) return;
    this.refreshedAt.set(file.uri, now);
    void file.refresh();
  }

  private findFile(uri: vscode.Uri): DocumentFile | undefined {
    const address = parseDocumentAddress(uri);
    return address && this.files.file(uri.toString(), address);
  }
}

/** Makes a document's editor show `text` as unsaved edits. */
async function putBack(uri: string, text: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
  if (!document) return;
  try {
    await replaceText(document, text);
  } catch {
    // The user edited the document before the text was restored, so only Undo can restore it.
    const message = vscode.l10n.t(
      'VS Code reloaded {0} and overwrote edits made while the file was being saved. Use Undo to restore them.',
      basename(document.uri.path),
    );
    void vscode.window.showWarningMessage(message);
  }
}
