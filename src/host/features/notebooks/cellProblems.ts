import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { TextSpan } from '../../../core/model/query';

/** Marks errors in the queries of cells until a cell is changed or run again. */
export class CellProblems extends Disposable {
  private readonly shown = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright-notebook'),
  );

  constructor() {
    super();
    const forget = (document: vscode.TextDocument): void => this.shown.delete(document.uri);
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.shown.has(document.uri)) forget(document);
      }),
    );
    this.register(vscode.workspace.onDidCloseTextDocument(forget));
  }

  forget({ document }: vscode.NotebookCell): void {
    this.shown.delete(document.uri);
  }

  /** @param span range in the text of the cell. */
  show({ document }: vscode.NotebookCell, message: string, span: TextSpan): void {
    const end = Math.max(span.end, Math.min(span.start + 1, document.getText().length));
    const range = new vscode.Range(document.positionAt(span.start), document.positionAt(end));
    const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    problem.source = 'Fleetwright';
    this.shown.set(document.uri, [problem]);
  }
}
