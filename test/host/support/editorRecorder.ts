import * as vscode from 'vscode';
import { Disposable } from '../../../src/base/disposable';

/** Scheme of the files that a recorder serves. */
export const RECORDED_SCHEME = 'fleetwright-recorded';

interface StoredFile {
  text: string;
  mtime: number;
}

/**
 * Serves files from memory and records, in order of arrival, VS Code's calls to their file system
 * and the document events that VS Code fires. Line breaks are recorded as `/`.
 */
export class EditorRecorder extends Disposable implements vscode.FileSystemProvider {
  private readonly stored = new Map<string, StoredFile>();
  private readonly changed = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.changed.event;
  private lines: string[] = [];
  private time = 1_000;
  /** Error that the next write throws. */
  failure: Error | undefined;
  /** Awaited by every write before it responds. */
  beforeWrite: (() => Promise<void>) | undefined;

  constructor() {
    super();
    const { workspace } = vscode;
    this.register(workspace.registerFileSystemProvider(RECORDED_SCHEME, this));
    this.register(workspace.onDidOpenTextDocument((document) => this.note('open', document)));
    this.register(workspace.onDidCloseTextDocument((document) => this.note('close', document)));
    this.register(workspace.onDidSaveTextDocument((document) => this.note('saved', document)));
    this.register(
      workspace.onWillSaveTextDocument(({ document }) => this.note('will save', document)),
    );
    this.register(
      workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        const why = reason === undefined ? '' : ` by ${vscode.TextDocumentChangeReason[reason]}`;
        this.note(contentChanges.length > 0 ? `changed${why}` : 'state', document);
      }),
    );
  }

  /** Returns everything recorded since the last call. */
  take(): string[] {
    const { lines } = this;
    this.lines = [];
    return lines;
  }

  /** Creates a file; if the file exists, replaces its content and notifies VS Code. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: RECORDED_SCHEME, path: `/${name}` });
    const known = this.stored.has(uri.path);
    this.time += 1_000;
    this.stored.set(uri.path, { text, mtime: this.time });
    if (known) this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    return uri;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    this.lines.push('stat');
    const { text, mtime } = this.find(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: text.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const { text } = this.find(uri);
    this.lines.push(`read ${oneLine(text)}`);
    return new TextEncoder().encode(text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const text = new TextDecoder().decode(content);
    this.lines.push(`write ${oneLine(text)}`);
    await this.beforeWrite?.();
    const { failure } = this;
    this.failure = undefined;
    if (failure) throw failure;
    this.time += 1_000;
    this.stored.set(uri.path, { text, mtime: this.time });
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  private find(uri: vscode.Uri): StoredFile {
    const file = this.stored.get(uri.path);
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }

  private note(event: string, document: vscode.TextDocument): void {
    if (document.uri.scheme !== RECORDED_SCHEME) return;
    const state = document.isClosed ? 'closed' : document.isDirty ? 'dirty' : 'clean';
    this.lines.push(`${event} ${state} ${oneLine(document.getText())}`);
  }
}

function oneLine(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '/');
}
