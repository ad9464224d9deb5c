import { toQueryLanguage } from '../../platform/queryLanguage/toQueryLanguage';
import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Sleep } from '../../../base/clock';
import type { QueryDiagnostic } from '../../../shared/query/editor';
import { DocumentDelays } from '../../platform/documents/documentDelays';
import type { QueryLanguageService } from '../../platform/queryLanguage/queryLanguageService';
import {
  type FindOrganization,
  isCell,
  type IsRecent,
  QUERY_DOCUMENTS,
  toRange,
} from './queryAssistant';
import type { TextSpan } from '../../../core/model/query';

/** Debounce delay in milliseconds before a check. */
const DELAY_MS = 250;

const SEVERITIES: Readonly<Record<QueryDiagnostic['severity'], vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Shows errors and warnings in queries as the user edits them, and offers quick fixes. */
export class QueryProblems extends Disposable implements vscode.CodeActionProvider {
  private readonly collection = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright-query'),
  );
  private readonly delays: DocumentDelays;

  constructor(
    private readonly language: QueryLanguageService,
    private readonly findOrganization: FindOrganization,
    private readonly isRecent: IsRecent,
    sleep: Sleep,
  ) {
    super();
    this.delays = this.register(new DocumentDelays(sleep, DELAY_MS));
    const { workspace } = vscode;
    this.register(workspace.onDidOpenTextDocument((document) => void this.check(document)));
    this.register(
      workspace.onDidChangeTextDocument(({ document }) => void this.checkSoon(document)),
    );
    this.register(workspace.onDidCloseTextDocument((document) => this.clear(document)));
    this.register(
      workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
        for (const { cell, metadata } of cellChanges) if (metadata) void this.check(cell.document);
      }),
    );
    this.register(this.language.onDidLearn(() => this.checkAll()));
    this.checkAll();
  }

  /** Checks all open documents, for example when their organization changes. */
  checkAll(): void {
    for (const document of vscode.workspace.textDocuments) void this.check(document);
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const queryDiagnostics = await this.listDiagnostics(document);
    return queryDiagnostics.flatMap(({ rule, fixes, ...place }) => {
      const found = toRange(document, place);
      if (!found.intersection(range)) return [];
      const fixed = diagnostics.filter(
        (shown) => shown.code === rule && shown.range.isEqual(found),
      );
      return fixes.map(({ title, edits }) => {
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.diagnostics = fixed;
        action.isPreferred = fixes.length === 1;
        action.edit = new vscode.WorkspaceEdit();
        for (const { insert, ...at } of edits) {
          action.edit.replace(document.uri, toRange(document, at), insert);
        }
        return action;
      });
    });
  }

  private async checkSoon(document: vscode.TextDocument): Promise<void> {
    if (!vscode.languages.match(QUERY_DOCUMENTS, document)) return;
    await this.delays.run(document, () => this.check(document));
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    if (!vscode.languages.match(QUERY_DOCUMENTS, document)) return;
    const { version } = document;
    const diagnostics = await this.listDiagnostics(document);
    if (document.isClosed || document.version !== version || this.isDisposed) return;
    this.collection.set(
      document.uri,
      diagnostics.map(({ message, severity, rule, ...place }) => {
        const range = toRange(document, place);
        const problem = new vscode.Diagnostic(range, message, SEVERITIES[severity]);
        problem.source = 'Fleetwright';
        problem.code = rule;
        return problem;
      }),
    );
  }

  /**
   * Returns the diagnostics for a document. Multiple statements are an error only in a cell,
   * because the statements in a file are run individually.
   */
  private async listDiagnostics(
    document: vscode.TextDocument,
  ): Promise<readonly QueryDiagnostic[]> {
    const language = toQueryLanguage(document.languageId);
    if (!language) return [];
    const query = { language, text: document.getText(), recent: this.isRecent(document) };
    const { diagnostics } = await this.language.check(query, await this.findOrganization(document));
    return isCell(document)
      ? diagnostics
      : diagnostics.filter(({ rule }) => rule !== 'severalStatements');
  }

  private clear(document: vscode.TextDocument): void {
    this.delays.cancel(document);
    this.collection.delete(document.uri);
  }
}

/**
 * Matches a position in a message. Its line number is relative to the executed text, which can be
 * only part of the file.
 */
const POSITION_SUFFIX = / \(at (?:the end|"(?:[^"\\]|\\.)*"), line \d+, column \d+\)/;

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
        if (contentChanges.length > 0) this.clear(document);
      }),
    );
    this.register(workspace.onDidCloseTextDocument((document) => this.clear(document)));
  }

  clear({ uri }: vscode.TextDocument): void {
    if (this.collection.has(uri)) this.collection.delete(uri);
  }

  show(document: vscode.TextDocument, message: string, { start, end }: TextSpan): void {
    // Extends an empty range so that it marks the following character.
    const least = Math.min(start + 1, document.getText().length);
    const range = toRange(document, { start, end: Math.max(end, least) });
    const problem = new vscode.Diagnostic(
      range,
      message.replace(POSITION_SUFFIX, ''),
      vscode.DiagnosticSeverity.Error,
    );
    problem.source = 'Fleetwright';
    this.collection.set(document.uri, [problem]);
  }
}
