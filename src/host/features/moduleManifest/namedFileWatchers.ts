import * as vscode from 'vscode';
import { Disposable, DisposableSet } from '../../../base/disposable';

interface WatchedFiles {
  readonly files: string;
  readonly watchers: DisposableSet;
}

/** Reports when files that open manifests reference are created, changed, or deleted. */
export class NamedFileWatchers extends Disposable {
  private readonly followed = new Map<vscode.TextDocument, WatchedFiles>();

  constructor(private readonly onDidChange: (document: vscode.TextDocument) => void) {
    super();
    this.register({ dispose: () => this.followed.forEach(({ watchers }) => watchers.dispose()) });
  }

  /**
   * Watches only the referenced files. Doesn't watch files outside the workspace.
   * @param named paths relative to the manifest's folder, without glob characters
   */
  follow(document: vscode.TextDocument, named: readonly string[]): void {
    if (!vscode.workspace.getWorkspaceFolder(document.uri)) return;
    const files = named.join('\n');
    if (this.followed.get(document)?.files === files || this.isDisposed) return;
    this.forget(document);
    const watchers = new DisposableSet();
    const folder = vscode.Uri.joinPath(document.uri, '..');
    const changed = (): void => this.onDidChange(document);
    for (const file of named) {
      const pattern = new vscode.RelativePattern(folder, file);
      const watcher = watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
      watchers.add(watcher.onDidCreate(changed));
      watchers.add(watcher.onDidChange(changed));
      watchers.add(watcher.onDidDelete(changed));
    }
    this.followed.set(document, { files, watchers });
  }

  forget(document: vscode.TextDocument): void {
    this.followed.get(document)?.watchers.dispose();
    this.followed.delete(document);
  }
}
