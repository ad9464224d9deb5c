import * as vscode from 'vscode';
import { Disposable, DisposableSet } from '../../../../base/disposable';
import type { Sleep } from '../../../../base/clock';
import type { ParsedManifest } from '../../../../core/modules/manifest/parseManifest';
import type { Logger } from '../../../../core/ports';
import { DocumentDelays } from '../../../platform/documents/documentDelays';
import { type ManifestDiagnostics, type ManifestReader, toDiagnostic } from './manifestDiagnostics';

/** Debounce delay in milliseconds before checks. */
const DELAY_MS = 300;

/** Shows manifest problems, and updates them when manifests or their files change. */
export class ManifestProblems extends Disposable {
  private readonly collection = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright-module'),
  );
  private readonly delays: DocumentDelays;
  private readonly watchers = this.register(
    new NamedFileWatchers((document) => void this.checkSoon(document)),
  );

  constructor(
    private readonly reader: ManifestReader,
    private readonly diagnostics: ManifestDiagnostics,
    sleep: Sleep,
    private readonly log: Logger,
  ) {
    super();
    this.delays = this.register(new DocumentDelays(sleep, DELAY_MS));
    const { workspace, window } = vscode;
    this.register(workspace.onDidOpenTextDocument((document) => void this.check(document, true)));
    this.register(workspace.onDidSaveTextDocument((document) => void this.check(document, true)));
    this.register(
      workspace.onDidChangeTextDocument(({ document }) => void this.checkSoon(document)),
    );
    this.register(workspace.onDidCloseTextDocument((document) => this.clear(document)));
    // Watchers don't report permission changes that are made in a terminal.
    this.register(
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.checkAll();
      }),
    );
    for (const document of workspace.textDocuments) void this.check(document, true);
  }

  /** Reinspects the files of all open manifests. */
  checkAll(): void {
    for (const document of vscode.workspace.textDocuments) void this.check(document, false);
  }

  private async checkSoon(document: vscode.TextDocument): Promise<void> {
    if (!(await this.reader.read(document))) {
      this.collection.delete(document.uri);
      return;
    }
    await this.delays.run(document, () => this.check(document, false));
  }

  /** @param isThorough true to inspect everything that would be uploaded */
  private async check(document: vscode.TextDocument, isThorough: boolean): Promise<void> {
    const parsed = await this.reader.read(document);
    if (!parsed) {
      this.collection.delete(document.uri);
      return;
    }
    await this.show(document);
    await this.watch(document, parsed);
    void this.checkRegistry(document);
    try {
      const checking = this.diagnostics.checkFiles(document, isThorough);
      if (isThorough) this.showCheckProgress(document, checking);
      if (await checking) await this.show(document);
    } catch (error) {
      // This happens, for example, if a folder is unreadable. The upload reports this error if it
      // must include the folder.
      const { message } = error as Error;
      this.log.warn('could not check the files of a module', { message });
    }
  }

  /** Compares a manifest with the registry, without delaying the other checks. */
  private async checkRegistry(document: vscode.TextDocument): Promise<void> {
    if (await this.diagnostics.checkRegistry(document)) await this.show(document);
  }

  /** Shows progress in the status bar, because inspecting a large build takes time. */
  private showCheckProgress({ uri }: vscode.TextDocument, checking: Promise<unknown>): void {
    const title = vscode.l10n.t('Checking the build of {0}', vscode.workspace.asRelativePath(uri));
    const location = vscode.ProgressLocation.Window;
    const ended = checking.then(
      () => undefined,
      () => undefined,
    );
    void vscode.window.withProgress({ location, title }, () => ended);
  }

  private async watch(document: vscode.TextDocument, { manifest }: ParsedManifest): Promise<void> {
    const { listReferencedFiles: namedFilesOf } =
      await import('../../../../core/modules/manifest/manifestLanguage');
    if (!document.isClosed && manifest) this.watchers.follow(document, namedFilesOf(manifest));
  }

  private async show(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const parsed = await this.reader.read(document);
    const found = await this.diagnostics.of(document);
    if (document.isClosed || document.version !== version || this.isDisposed) return;
    if (!parsed || !found) return;
    const { formatManifestDiagnostic: toMessage } =
      await import('../../../../core/modules/manifest/formatManifestDiagnostic');
    this.collection.set(
      document.uri,
      found.map((problem) =>
        toDiagnostic(document, parsed, { problem, message: toMessage(problem, vscode.l10n) }),
      ),
    );
  }

  private clear(document: vscode.TextDocument): void {
    this.delays.cancel(document);
    this.diagnostics.clear(document);
    this.watchers.clear(document);
    this.collection.delete(document.uri);
  }
}

interface WatchedFiles {
  readonly files: string;
  readonly watchers: DisposableSet;
}

/** Reports when files that open manifests reference are created, changed, or deleted. */
class NamedFileWatchers extends Disposable {
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
    this.clear(document);
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

  clear(document: vscode.TextDocument): void {
    this.followed.get(document)?.watchers.dispose();
    this.followed.delete(document);
  }
}
