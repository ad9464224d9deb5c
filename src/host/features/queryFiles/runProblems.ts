import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { TextSpan } from '../../../core/model/query';
import { toRange } from './queryAssistant';

/**
 * Matches a position in a message. Its line number is relative to the executed text, which can be
 * only part of the file.
 */
const SAID_PLACE = / \(at (?:the end|"(?:[^"\\]|\\.)*"), line \d+, column \d+\)/;

/** Marks errors in executed query files until a file is changed or run again. */
export class RunProblems extends Disposable {
  private readonly collection = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright-query-run'),
  );

  constructor() {
    super();
    const { workspace } = vscode;
    this.register(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.forget(document);
      }),
    );
    this.register(workspace.onDidCloseTextDocument((document) => this.forget(document)));
  }

  forget({ uri }: vscode.TextDocument): void {
    if (this.collection.has(uri)) this.collection.delete(uri);
  }

  show(document: vscode.TextDocument, message: string, { start, end }: TextSpan): void {
    // Extends an empty range so that it marks the following character.
    const least = Math.min(start + 1, document.getText().length);
    const range = toRange(document, { start, end: Math.max(end, least) });
    const problem = new vscode.Diagnostic(
      range,
      message.replace(SAID_PLACE, ''),
      vscode.DiagnosticSeverity.Error,
    );
    problem.source = 'Fleetwright';
    this.collection.set(document.uri, [problem]);
  }
}
