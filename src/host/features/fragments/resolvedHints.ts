import * as vscode from 'vscode';
import { originAt } from '../../../core/documents/resolvedText';
import { formatFragmentChain } from './formatResolveProblem';
import type { ResolvedFileSystem } from './resolvedFileSystem';

/**
 * Code lenses above a resolved config, with a description and its problems. Hovers show the source
 * fragment of a value.
 */
export class ResolvedHints implements vscode.CodeLensProvider, vscode.HoverProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(private readonly files: ResolvedFileSystem) {
    this.onDidChangeCodeLenses = (listener) =>
      files.onDidResolve(() => {
        listener();
      });
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const resolved = this.files.peek(uri);
    if (!resolved) return [];
    const { problems, origins } = resolved;
    const top = new vscode.Range(0, 0, 0, 0);
    const compare = new vscode.CodeLens(top, {
      title:
        origins.length === 0
          ? vscode.l10n.t('Read-only: no fragments are applied')
          : vscode.l10n.t('Read-only: fragments are applied. Compare with the config'),
      command: 'fleetwright.part.compareResolvedConfig',
      arguments: [uri],
    });
    if (problems.length === 0) return [compare];
    const warning = new vscode.CodeLens(top, {
      title: `$(warning) ${problemCount(problems.length)}`,
      command: 'workbench.actions.view.problems',
    });
    return [warning, compare];
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const resolved = this.files.peek(document.uri);
    const offset = document.offsetAt(position);
    const origin = resolved && originAt(document.getText(), resolved.origins, offset);
    if (!origin) return undefined;
    const from = formatFragmentChain(origin.fragments, resolved.getName);
    // Names are plain text, which Markdown would interpret as links and formatting.
    const text = new vscode.MarkdownString().appendText(
      vscode.l10n.t('From the fragment {0}', from),
    );
    return new vscode.Hover(text);
  }
}

function problemCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 problem with the fragments')
    : vscode.l10n.t('{0} problems with the fragments', count);
}
