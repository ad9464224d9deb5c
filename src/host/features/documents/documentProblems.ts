import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { SaveProblem } from './saveMessages';

const SOURCE = 'Fleetwright';
/** VS Code's own JSON support leaves its name out where it finds comments. */
const JSON_SOURCES: readonly (string | undefined)[] = ['json', undefined];

/** What keeps documents from being saved, in the Problems view. */
export class DocumentProblems extends Disposable {
  private readonly collection = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright'),
  );

  constructor() {
    super();
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.clear(uri)));
    // Undone or reverted: nothing is left to save, and so nothing that keeps it from being saved.
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!document.isDirty) this.clear(document.uri);
      }),
    );
  }

  /** Replaces what was there. `text` is what was to be saved. */
  show(uri: vscode.Uri, text: string, problems: readonly SaveProblem[]): void {
    const shown = problems.map(({ place, message, code }) => {
      const start = positionAt(text, place.offset);
      const range = new vscode.Range(start, positionAt(text, place.offset + place.length));
      const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
      diagnostic.source = SOURCE;
      if (code !== undefined) diagnostic.code = code;
      return diagnostic;
    });
    this.collection.set(
      uri,
      shown.filter((diagnostic) => !isKnownToJson(uri, diagnostic)),
    );
  }

  clear(uri: vscode.Uri): void {
    this.collection.delete(uri);
  }
}

/** VS Code's own JSON support marks most mistakes while one types; twice is not clearer. */
function isKnownToJson(uri: vscode.Uri, { range }: vscode.Diagnostic): boolean {
  return vscode.languages
    .getDiagnostics(uri)
    .some(
      (known) =>
        JSON_SOURCES.includes(known.source) &&
        known.severity === vscode.DiagnosticSeverity.Error &&
        known.range.intersection(range) !== undefined,
    );
}

function positionAt(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return new vscode.Position(before.length - 1, before.at(-1)?.length ?? 0);
}
