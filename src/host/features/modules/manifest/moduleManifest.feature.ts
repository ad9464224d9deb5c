import * as vscode from 'vscode';
import type { Sleep } from '../../../../base/clock';
import { FleetError } from '../../../../core/api/errors';
import type { Logger } from '../../../../core/ports';
import { CommandFeature, type Commands } from '../../../platform/commands/commandRegistry';
import { requireTrust } from '../../../platform/permissions/requireTrust';
import { MANIFEST_TRIGGERS, ManifestCompletion } from './manifestCompletion';
import {
  getFindingRange,
  MANIFEST_DOCUMENTS,
  ManifestFindings,
  ManifestReader,
} from './manifestFindings';
import { ManifestProblems } from './manifestProblems';
import type { DescribedField } from '../../../../core/modules/manifest/manifestLanguage';
import type { SessionProvider } from '../../../platform/sessionProvider';
import { PublishedModules } from './publishedModules';
import { Disposable } from '../../../../base/disposable';
import { MANIFEST_NAME } from '../../../../core/modules/manifest/moduleManifest';
import { setContextKey } from '../../../platform/commands/contextKeys';
import type { CommandId } from '../../../../manifest/commands';
import type { TextEdit } from '../../../../core/documents/textEdit';
import type { ManifestFix } from '../../../../core/modules/manifest/manifestFinding';
import { toRange } from '../../../platform/documents/toRange';

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
    const findings = new ManifestFindings(reader, modules);
    this.register(new ManifestsKey(sleep, log));
    this.problems = this.register(new ManifestProblems(reader, findings, sleep, log));
    this.register(modules.onDidChange(() => this.problems.checkAll()));
    const { languages } = vscode;
    const documents = MANIFEST_DOCUMENTS;
    this.register(
      languages.registerCodeActionsProvider(documents, new ManifestFixes(reader, findings), {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.register(languages.registerCodeLensProvider(documents, new ManifestLenses(reader)));
    const schema = vscode.Uri.joinPath(extensionUri, 'media/schemas/moduleManifest.schema.json');
    this.register(languages.registerHoverProvider(documents, new ManifestHover(reader, schema)));
    this.register(
      languages.registerCompletionItemProvider(
        documents,
        new ManifestCompletion(reader),
        ...MANIFEST_TRIGGERS,
      ),
    );
    this.command('fleetwright.moduleManifest.makeExecutable', (uri, file) =>
      this.fixFile(uri, file, 'makeExecutable'),
    );
    this.command('fleetwright.moduleManifest.createScript', (uri, file) =>
      this.fixFile(uri, file, 'createScript'),
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
 * Shows field descriptions in manifests that specify their own schema. For these manifests, VS Code
 * uses that schema instead of the bundled one, and the schema's URL might be unreachable.
 */
class ManifestHover implements vscode.HoverProvider {
  private schema: Promise<DescribedField> | undefined;

  /** @param schemaUri URI of the bundled schema */
  constructor(
    private readonly reader: ManifestReader,
    private readonly schemaUri: vscode.Uri,
  ) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const parsed = await this.reader.read(document);
    if (!parsed?.root) return undefined;
    const { describeField } = await import('../../../../core/modules/manifest/manifestLanguage');
    const { findField } = await import('../../../../core/modules/manifest/manifestPath');
    if (!findField(parsed.root, ['$schema'])) return undefined;
    const schema = await (this.schema ??= this.readSchema());
    const offset = document.offsetAt(position);
    const found = describeField(document.getText(), offset, { parsed, schema });
    if (!found) return undefined;
    const texts = found.texts.map((text) => new vscode.MarkdownString().appendText(text));
    return new vscode.Hover(texts, toRange(document, found.span));
  }

  private async readSchema(): Promise<DescribedField> {
    const bytes = await vscode.workspace.fs.readFile(this.schemaUri);
    const schema = JSON.parse(new TextDecoder().decode(bytes)) as { readonly then: DescribedField };
    return schema.then;
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

/** Code lenses with actions above the module ID. */
class ManifestLenses implements vscode.CodeLensProvider {
  constructor(private readonly reader: ManifestReader) {}

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const parsed = await this.reader.read(document);
    const { manifest } = parsed ?? {};
    if (!parsed || !manifest) return [];
    const range = toRange(document, parsed.getRange(['module_id'], true));
    const lens = (command: CommandId, title: string, tooltip: string): vscode.CodeLens =>
      new vscode.CodeLens(range, { command, title, tooltip, arguments: [document.uri] });
    if (manifest.moduleId.trim() === '') return [createLens(lens)];
    const build = lens(
      'fleetwright.module.build',
      `$(tools) ${vscode.l10n.t('Build')}`,
      vscode.l10n.t('Run the build defined in this manifest'),
    );
    const rest = [
      lens(
        'fleetwright.module.runLocally',
        `$(play) ${vscode.l10n.t('Run Locally')}`,
        vscode.l10n.t('Start the module on this computer and call its API'),
      ),
      lens(
        'fleetwright.module.uploadBuild',
        `$(cloud-upload) ${vscode.l10n.t('Upload')}`,
        vscode.l10n.t('Publish a build as a new version'),
      ),
      lens(
        'fleetwright.module.update',
        `$(sync) ${vscode.l10n.t('Update')}`,
        vscode.l10n.t(
          "Apply the manifest's metadata to the registry without uploading a new version",
        ),
      ),
      lens(
        'fleetwright.module.deploy',
        `$(rocket) ${vscode.l10n.t('Deploy to Machine…')}`,
        vscode.l10n.t("Add the module to a machine's config, or set its version there"),
      ),
    ];
    return manifest.build.build === undefined ? rest : [build, ...rest];
  }
}

function createLens(
  lens: (command: CommandId, title: string, tooltip: string) => vscode.CodeLens,
): vscode.CodeLens {
  return lens(
    'fleetwright.module.create',
    `$(add) ${vscode.l10n.t('Create')}`,
    vscode.l10n.t('Register the module to get an ID for it'),
  );
}

/** Provides quick fixes for a manifest and its files. */
class ManifestFixes implements vscode.CodeActionProvider {
  constructor(
    private readonly reader: ManifestReader,
    private readonly findings: ManifestFindings,
  ) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const parsed = await this.reader.read(document);
    const found = parsed && (await this.findings.of(document));
    if (!found) return [];
    const [{ createFixEdits: toEdits }, { formatFix: formatLabel }] = await Promise.all([
      import('../../../../core/modules/manifest/manifestLanguage'),
      import('../../../../core/modules/manifest/formatFinding'),
    ]);
    const text = document.getText();
    return found.flatMap((finding) => {
      const findingRange = getFindingRange(document, parsed, finding);
      if (!findingRange.intersection(range)) return [];
      return finding.fixes.map((fix) => {
        const action = new vscode.CodeAction(
          formatLabel(fix, vscode.l10n),
          vscode.CodeActionKind.QuickFix,
        );
        action.diagnostics = diagnostics.filter(
          (shown) => shown.code === finding.code && shown.range.isEqual(findingRange),
        );
        action.isPreferred = fix === finding.fixes[0];
        if ('path' in fix) action.edit = toWorkspaceEdit(document, toEdits(text, fix));
        else action.command = toCommand(document, fix, action.title);
        return action;
      });
    });
  }
}

function toWorkspaceEdit(
  document: vscode.TextDocument,
  edits: readonly TextEdit[],
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of edits) {
    edit.replace(document.uri, toRange(document, { offset: start, length: end - start }), text);
  }
  return edit;
}

type FileFix = Exclude<ManifestFix, { readonly path: unknown }>;

const COMMANDS: Readonly<Record<FileFix['kind'], CommandId>> = {
  makeExecutable: 'fleetwright.moduleManifest.makeExecutable',
  createScript: 'fleetwright.moduleManifest.createScript',
  build: 'fleetwright.module.build',
  create: 'fleetwright.module.create',
};

function toCommand({ uri }: vscode.TextDocument, fix: FileFix, title: string): vscode.Command {
  return {
    command: COMMANDS[fix.kind],
    title,
    arguments: 'file' in fix ? [uri, fix.file] : [uri],
  };
}
