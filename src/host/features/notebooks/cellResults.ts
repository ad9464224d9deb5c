import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { FilledQuery } from '../../../core/query/language/parameters';
import type { QueryRun } from '../../../core/query/queryRun';
import type { TextSpan } from '../../../core/model/query';
import type { HostHandlers } from '../../../shared/protocol';
import type { ResultProtocol, ResultStatus } from '../../../shared/query/results';
import type { Translations } from '../../../shared/translations';

/** Query that was run by a cell. */
export interface CellRun {
  readonly run: QueryRun;
  /** Maps an offset in the executed text to the corresponding offset in the original text. */
  readonly mapOffset: FilledQuery['mapOffset'];
}

interface CellResult {
  readonly cellRun: CellRun;
  /**
   * True if the cell already has this run's output. Until then, a cleared output belongs to a
   * previous run.
   */
  isShown: boolean;
}

/**
 * Results of cells. A result is deleted when its cell is run again, cleared, or deleted, or when
 * its notebook is closed. Results are stored in files, which would otherwise never be deleted.
 */
export class CellResults extends Disposable {
  private readonly runs = new Map<vscode.NotebookCell, CellResult>();

  constructor() {
    super();
    this.register(
      vscode.workspace.onDidChangeNotebookDocument((change) => this.onDidChangeNotebook(change)),
    );
    this.register(
      vscode.workspace.onDidCloseNotebookDocument((closed) => {
        this.deleteRuns((cell) => cell.notebook === closed);
      }),
    );
    this.register({ dispose: () => this.deleteRuns(() => true) });
  }

  /** Returns the result with an ID; undefined if it was deleted. */
  find(id: string): CellRun | undefined {
    return [...this.runs.values()].find(({ cellRun }) => cellRun.run.id === id)?.cellRun;
  }

  /** Stores a cell's current result and deletes the previous one. */
  setRun(cell: vscode.NotebookCell, cellRun: CellRun): void {
    this.drop(cell);
    if (this.isDisposed) cellRun.run.dispose();
    else this.runs.set(cell, { cellRun, isShown: false });
  }

  /** Deletes the result for a cell that now shows different output. */
  drop(cell: vscode.NotebookCell): void {
    this.deleteRuns((one) => one === cell);
  }

  private onDidChangeNotebook({
    notebook,
    contentChanges,
    cellChanges,
  }: vscode.NotebookDocumentChangeEvent): void {
    const removed = new Set(contentChanges.flatMap(({ removedCells }) => removedCells));
    // A moved cell is reported as removed and added.
    for (const cell of notebook.getCells()) removed.delete(cell);
    for (const { cell, outputs } of cellChanges) {
      const cached = this.runs.get(cell);
      if (!cached || !outputs) continue;
      if (outputs.length === 0 && cached.isShown) removed.add(cell);
      cached.isShown ||= outputs.length > 0;
    }
    this.deleteRuns((cell) => removed.has(cell));
  }

  private deleteRuns(isOver: (cell: vscode.NotebookCell) => boolean): void {
    for (const [cell, { cellRun }] of this.runs) {
      if (!isOver(cell)) continue;
      this.runs.delete(cell);
      cellRun.run.dispose();
    }
  }
}

/** Marks errors in the queries of cells until a cell is changed or run again. */
export class CellProblems extends Disposable {
  private readonly shown = this.register(
    vscode.languages.createDiagnosticCollection('fleetwright-notebook'),
  );

  constructor() {
    super();
    const clear = (document: vscode.TextDocument): void => this.shown.delete(document.uri);
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.shown.has(document.uri)) clear(document);
      }),
    );
    this.register(vscode.workspace.onDidCloseTextDocument(clear));
  }

  clear({ document }: vscode.NotebookCell): void {
    this.shown.delete(document.uri);
  }

  /** @param span range in the cell's text. */
  show({ document }: vscode.NotebookCell, message: string, span: TextSpan): void {
    const end = Math.max(span.end, Math.min(span.start + 1, document.getText().length));
    const range = new vscode.Range(document.positionAt(span.start), document.positionAt(end));
    const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    problem.source = 'Fleetwright';
    this.shown.set(document.uri, [problem]);
  }
}

/** Services for showing query results, in notebooks and in the query panel. */
export interface ResultServices {
  readonly handlers: HostHandlers<ResultProtocol>;
  /** Translations of the strings in the outputs; undefined for English. */
  readonly translations: Translations | undefined;
  /** Returns a query's status for the page that shows its result. */
  readonly getStatus: (cellRun: CellRun) => ResultStatus;
}

/** Loads the services for the first result. */
export type LoadResultServices = () => Promise<ResultServices>;
