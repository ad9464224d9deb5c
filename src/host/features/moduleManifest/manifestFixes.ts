import * as vscode from 'vscode';
import type { TextEdit } from '../../../core/documents/textEdit';
import type { ManifestFix } from '../../../core/modules/manifest/manifestFinding';
import type { CommandId } from '../../../manifest/commands';
import { getFindingRange } from './findingDiagnostic';
import type { ManifestFindings } from './manifestFindings';
import { type ManifestReader, rangeAt } from './manifestReader';

/** Provides quick fixes for a manifest and its files. */
export class ManifestFixes implements vscode.CodeActionProvider {
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
      import('../../../core/modules/manifest/manifestEdits'),
      import('../../../core/modules/manifest/formatFix'),
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
    edit.replace(document.uri, rangeAt(document, { offset: start, length: end - start }), text);
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
    ...{ command: COMMANDS[fix.kind], title },
    arguments: 'file' in fix ? [uri, fix.file] : [uri],
  };
}
