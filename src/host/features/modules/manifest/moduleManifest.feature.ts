import * as vscode from 'vscode';
import type { Sleep } from '../../../../base/clock';
import { FleetError } from '../../../../core/api/errors';
import type { Logger } from '../../../../core/ports';
import { CommandFeature, type Commands } from '../../../platform/commands/commandRegistry';
import { requireTrust } from '../../../platform/permissions/requireTrust';
import { MANIFEST_TRIGGERS, ManifestCompletion } from './manifestCompletion';
import { MANIFEST_DOCUMENTS, ManifestDiagnostics, ManifestReader } from './manifestDiagnostics';
import { ManifestProblems } from './manifestProblems';
import type { ManifestHover } from './manifestProviders';
import type { SessionProvider } from '../../../platform/sessionProvider';
import { PublishedModules } from './publishedModules';
import { Disposable } from '../../../../base/disposable';
import { MANIFEST_NAME } from '../../../../core/modules/manifest/moduleManifest';
import { setContextKey } from '../../../platform/commands/contextKeys';

interface ModuleManifestOptions {
  readonly commands: Commands;
  readonly sessions: SessionProvider;
  /** URI of the extension's folder. */
  readonly extensionUri: vscode.Uri;
  readonly sleep: Sleep;
  readonly log: Logger;
}

/** Module manifests in the workspace: their problems, quick fixes, and actions. */
export class ModuleManifestFeature extends CommandFeature {
  private readonly problems: ManifestProblems;

  constructor({ commands, sessions, extensionUri, sleep, log }: ModuleManifestOptions) {
    super(commands);
    const reader = new ManifestReader();
    const modules = this.register(new PublishedModules(sessions));
    const manifestDiagnostics = new ManifestDiagnostics(reader, modules);
    this.register(new ManifestsKey(sleep, log));
    this.problems = this.register(new ManifestProblems(reader, manifestDiagnostics, sleep, log));
    this.register(modules.onDidChange(() => this.problems.checkAll()));
    const schema = vscode.Uri.joinPath(extensionUri, 'media/schemas/moduleManifest.schema.json');
    this.registerProviders(reader, manifestDiagnostics, schema);
    this.command('fleetwright.moduleManifest.makeExecutable', (uri, file) =>
      this.fixFile(uri, file, 'makeExecutable'),
    );
    this.command('fleetwright.moduleManifest.createScript', (uri, file) =>
      this.fixFile(uri, file, 'createScript'),
    );
  }

  /** @param schema URI of the bundled schema */
  private registerProviders(
    reader: ManifestReader,
    manifestDiagnostics: ManifestDiagnostics,
    schema: vscode.Uri,
  ): void {
    const { languages } = vscode;
    const documents = MANIFEST_DOCUMENTS;
    let hover: Promise<ManifestHover> | undefined;
    // Loaded with the first manifest that an editor shows.
    const load = () => import('./manifestProviders');
    const loadHover = (): Promise<ManifestHover> =>
      (hover ??= load().then((module) => new module.ManifestHover(reader, schema)));
    this.register(
      languages.registerCodeActionsProvider(
        documents,
        {
          provideCodeActions: async (document, range, { diagnostics }) =>
            (await load()).provideFixes(document, range, {
              diagnostics,
              reader,
              manifestDiagnostics,
            }),
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.register(
      languages.registerCodeLensProvider(documents, {
        provideCodeLenses: async (document) => (await load()).provideLenses(document, reader),
      }),
    );
    this.register(
      languages.registerHoverProvider(documents, {
        provideHover: async (document, position) =>
          (await loadHover()).provideHover(document, position),
      }),
    );
    this.register(
      languages.registerCompletionItemProvider(
        documents,
        new ManifestCompletion(reader),
        ...MANIFEST_TRIGGERS,
      ),
    );
  }

  private async fixFile(
    uri: object,
    file: string,
    how: 'makeExecutable' | 'createScript',
  ): Promise<void> {
    requireTrust(
      vscode.l10n.t(
        'This workspace is not trusted, so none of its files were changed. Trust it first if you know who wrote it.',
      ),
    );
    if (!(uri instanceof vscode.Uri) || typeof file !== 'string') {
      throw new FleetError(
        'invalid',
        vscode.l10n.t('This action is available for problems in a manifest.'),
      );
    }
    const fileFixes = await import('./manifestFixes');
    await fileFixes[how](uri, file);
    this.problems.checkAll();
  }
}

/**
 * Debounce delay in milliseconds before the search for manifests, so that the search runs only
 * after activation and when files have stopped changing.
 */
const PAUSE_MS = 500;

/**
 * Sets the context key that lists module manifests, for menus. Many other programs use files with
 * the same name, for which our menus must not appear.
 */
class ManifestsKey extends Disposable {
  private pause: AbortController | undefined;

  constructor(
    private readonly sleep: Sleep,
    private readonly log: Logger,
  ) {
    super();
    const { workspace } = vscode;
    const watcher = this.register(workspace.createFileSystemWatcher(`**/${MANIFEST_NAME}`));
    const changed = (): void => void this.refreshSoon();
    this.register(watcher.onDidCreate(changed));
    this.register(watcher.onDidChange(changed));
    this.register(watcher.onDidDelete(changed));
    this.register(workspace.onDidChangeWorkspaceFolders(changed));
    this.register({ dispose: () => this.pause?.abort() });
    changed();
  }

  private async refreshSoon(): Promise<void> {
    this.pause?.abort();
    const pause = new AbortController();
    this.pause = pause;
    try {
      await this.sleep(PAUSE_MS, pause.signal);
      const { findManifests } = await import('../../../platform/modules/moduleManifests');
      const found = await findManifests();
      if (pause.signal.aborted) return;
      // Paths are listed both in local notation and in the notation of windows with remote files.
      const paths = found.flatMap(({ uri }) => [uri.fsPath, uri.path]);
      setContextKey('fleetwright.moduleManifests', [...new Set(paths)]);
    } catch (error) {
      if (pause.signal.aborted) return;
      this.log.warn('could not search for module manifests', {
        message: (error as Error).message,
      });
    }
  }
}
