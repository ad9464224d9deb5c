import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { DocumentFile } from '../../../core/documents/documentFile';
import type { DocumentFiles } from '../../../core/documents/documentFiles';
import type { Clock } from '../../../core/ports';
import { addressOf } from '../../platform/documentUris';

/** Coming back to a document asks the service at most this often. */
const REFRESH_INTERVAL_MILLISECONDS = 2_000;

/** Tells files what their editors are like, and looks for changes when a person comes back to one. */
export class EditorTracker extends Disposable {
  private readonly refreshedAt = new Map<string, number>();

  constructor(
    private readonly files: DocumentFiles,
    private readonly clock: Clock,
  ) {
    super();
    const { workspace, window } = vscode;
    for (const document of workspace.textDocuments) this.note(document);
    this.register(workspace.onDidOpenTextDocument((document) => this.note(document)));
    this.register(workspace.onDidSaveTextDocument((document) => this.note(document)));
    // Also fires, without contents, when a document becomes dirty or clean.
    this.register(workspace.onDidChangeTextDocument(({ document }) => this.note(document)));
    this.register(
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.files.peek(uri.toString())?.noteClosed();
        this.refreshedAt.delete(uri.toString());
      }),
    );
    this.register(window.onDidChangeActiveTextEditor((editor) => this.comeBack(editor)));
    this.register(
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) window.visibleTextEditors.forEach((editor) => this.comeBack(editor));
      }),
    );
  }

  private note(document: vscode.TextDocument): void {
    const file = this.fileOf(document.uri);
    if (!file || document.isClosed) return;
    if (document.isDirty) file.noteDirty();
    else file.noteClean(document.getText());
  }

  private comeBack(editor: vscode.TextEditor | undefined): void {
    const uri = editor?.document.uri;
    const file = uri && this.fileOf(uri);
    if (!file) return;
    const now = this.clock.now().getTime();
    const last = this.refreshedAt.get(file.uri) ?? 0;
    if (now - last < REFRESH_INTERVAL_MILLISECONDS) return;
    this.refreshedAt.set(file.uri, now);
    void file.refresh(true);
  }

  private fileOf(uri: vscode.Uri): DocumentFile | undefined {
    const address = addressOf(uri);
    return address && this.files.file(uri.toString(), address);
  }
}
