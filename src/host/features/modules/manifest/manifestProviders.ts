import * as vscode from 'vscode';
import type { TextEdit } from '../../../../core/documents/textEdit';
import { formatFix } from '../../../../core/modules/manifest/formatManifestDiagnostic';
import type { ManifestFix } from '../../../../core/modules/manifest/manifestDiagnostic';
import {
  createFixEdits,
  describeField,
  type DescribedField,
} from '../../../../core/modules/manifest/manifestLanguage';
import { findField } from '../../../../core/modules/manifest/manifestPath';
import type { CommandId } from '../../../../manifest/commands';
import { toRange } from '../../../platform/documents/toRange';
import {
  getDiagnosticRange,
  type ManifestDiagnostics,
  type ManifestReader,
} from './manifestDiagnostics';

/**
 * Shows field descriptions in manifests that specify their own schema. For these manifests, VS Code
 * uses that schema instead of the bundled one, and the schema's URL might be unreachable.
 */
export class ManifestHover {
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

/** Returns code lenses with actions above the module ID. */
export async function provideLenses(
  document: vscode.TextDocument,
  reader: ManifestReader,
): Promise<vscode.CodeLens[]> {
  const parsed = await reader.read(document);
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

function createLens(
  lens: (command: CommandId, title: string, tooltip: string) => vscode.CodeLens,
): vscode.CodeLens {
  return lens(
    'fleetwright.module.create',
    `$(add) ${vscode.l10n.t('Create')}`,
    vscode.l10n.t('Register the module to get an ID for it'),
  );
}

interface FixContext {
  /** Problems in the range for which VS Code requests fixes. */
  readonly diagnostics: readonly vscode.Diagnostic[];
  readonly reader: ManifestReader;
  readonly manifestDiagnostics: ManifestDiagnostics;
}

/** Returns quick fixes for a manifest and its files. */
export async function provideFixes(
  document: vscode.TextDocument,
  range: vscode.Range,
  { diagnostics, reader, manifestDiagnostics }: FixContext,
): Promise<vscode.CodeAction[]> {
  const parsed = await reader.read(document);
  const found = parsed && (await manifestDiagnostics.of(document));
  if (!found) return [];
  const text = document.getText();
  return found.flatMap((problem) => {
    const problemRange = getDiagnosticRange(document, parsed, problem);
    if (!problemRange.intersection(range)) return [];
    return problem.fixes.map((fix) => {
      const action = new vscode.CodeAction(
        formatFix(fix, vscode.l10n),
        vscode.CodeActionKind.QuickFix,
      );
      action.diagnostics = diagnostics.filter(
        (shown) => shown.code === problem.code && shown.range.isEqual(problemRange),
      );
      action.isPreferred = fix === problem.fixes[0];
      if ('path' in fix) action.edit = toWorkspaceEdit(document, createFixEdits(text, fix));
      else action.command = toCommand(document, fix, action.title);
      return action;
    });
  });
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
