import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { notebooks } from '../../../manifest/contributions';
import { RUNNABLE_LANGUAGES } from './notebookMetadata';
import type { CellRunner } from './cellRunner';

const KERNEL_ID = 'fleetwright-readings';

/**
 * Runs the queries in notebooks. The queries in each notebook run sequentially, in request order.
 */
export class QueryKernel extends Disposable {
  private readonly controller = this.register(
    vscode.notebooks.createNotebookController(
      KERNEL_ID,
      notebooks.type,
      vscode.l10n.t('Readings of the Fleet'),
    ),
  );
  private readonly busy = new WeakMap<vscode.NotebookDocument, Promise<void>>();
  private lastOrder = 0;

  constructor(private readonly loadRunner: () => Promise<CellRunner>) {
    super();
    this.controller.supportedLanguages = [...RUNNABLE_LANGUAGES];
    this.controller.supportsExecutionOrder = true;
    this.controller.description = vscode.l10n.t('SQL and MQL');
    this.controller.executeHandler = (cells, notebook) => this.runAll(cells, notebook);
  }

  private async runAll(
    cells: readonly vscode.NotebookCell[],
    notebook: vscode.NotebookDocument,
  ): Promise<void> {
    // VS Code immediately shows all cells as pending, so the user can remove each cell from the
    // queue.
    const executions = cells.map((cell) => this.controller.createNotebookCellExecution(cell));
    const before = this.busy.get(notebook);
    const done = this.runAfter(before, executions);
    this.busy.set(notebook, done);
    await done;
  }

  private async runAfter(
    before: Promise<void> | undefined,
    executions: readonly vscode.NotebookCellExecution[],
  ): Promise<void> {
    // The earlier run's cells report their own errors.
    await before?.catch(() => undefined);
    for (const execution of executions) await this.runCell(execution);
  }

  private async runCell(execution: vscode.NotebookCellExecution): Promise<void> {
    if (execution.token.isCancellationRequested) {
      execution.end(undefined);
      return;
    }
    execution.executionOrder = ++this.lastOrder;
    const runner = await this.loadRunner();
    await runner.run(execution);
  }
}
