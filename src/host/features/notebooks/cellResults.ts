import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { FilledQuery } from '../../../core/query/language/parameters';
import type { QueryRun } from '../../../core/query/queryRun';

/** A query that a cell asked. */
export interface CellRun {
  readonly run: QueryRun;
  /** Where a place of the text that was run is in the text as it was written. */
  readonly placeOf: FilledQuery['placeOf'];
}

interface KeptRun {
  readonly asked: CellRun;
  /** Whether its cell has an output: before that, news of an output that was cleared is of another. */
  isShown: boolean;
}

/**
 * The results that cells show, each until its cell is run again, cleared or deleted, or its notebook is
 * closed: they are kept in files, and nobody else ends them.
 */
export class CellResults extends Disposable {
  private readonly runs = new Map<vscode.NotebookCell, KeptRun>();

  constructor() {
    super();
    this.register(vscode.workspace.onDidChangeNotebookDocument((change) => this.follow(change)));
    this.register(
      vscode.workspace.onDidCloseNotebookDocument((closed) => {
        this.forget((cell) => cell.notebook === closed);
      }),
    );
    this.register({ dispose: () => this.forget(() => true) });
  }

  /** The result with an id; undefined when it is not kept any more. */
  find(id: string): CellRun | undefined {
    return [...this.runs.values()].find(({ asked }) => asked.run.id === id)?.asked;
  }

  /** Keeps the result that a cell shows from now on, in the place of the one before. */
  keep(cell: vscode.NotebookCell, asked: CellRun): void {
    this.drop(cell);
    if (this.isDisposed) asked.run.dispose();
    else this.runs.set(cell, { asked, isShown: false });
  }

  /** Ends the result of a cell that shows another thing. */
  drop(cell: vscode.NotebookCell): void {
    this.forget((one) => one === cell);
  }

  private follow({
    notebook,
    contentChanges,
    cellChanges,
  }: vscode.NotebookDocumentChangeEvent): void {
    const removed = new Set(contentChanges.flatMap(({ removedCells }) => removedCells));
    // A cell that is moved is removed and added.
    for (const cell of notebook.getCells()) removed.delete(cell);
    for (const { cell, outputs } of cellChanges) {
      const kept = this.runs.get(cell);
      if (!kept || !outputs) continue;
      if (outputs.length === 0 && kept.isShown) removed.add(cell);
      kept.isShown ||= outputs.length > 0;
    }
    this.forget((cell) => removed.has(cell));
  }

  private forget(isOver: (cell: vscode.NotebookCell) => boolean): void {
    for (const [cell, { asked }] of this.runs) {
      if (!isOver(cell)) continue;
      this.runs.delete(cell);
      asked.run.dispose();
    }
  }
}
