import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';

/** Base class of our read-only file systems, which have no folders. */
export abstract class ReadOnlyFiles extends Disposable implements vscode.FileSystemProvider {
  protected readonly changed = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.changed.event;

  abstract stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  abstract readFile(uri: vscode.Uri): Promise<Uint8Array>;
  /** Returns the reason why a file can't be written. */
  protected abstract getReadOnlyMessage(): string;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  writeFile(): never {
    throw this.createReadOnlyError();
  }

  createDirectory(): never {
    throw this.createReadOnlyError();
  }

  delete(): never {
    throw this.createReadOnlyError();
  }

  rename(): never {
    throw this.createReadOnlyError();
  }

  private createReadOnlyError(): vscode.FileSystemError {
    return vscode.FileSystemError.NoPermissions(this.getReadOnlyMessage());
  }
}
