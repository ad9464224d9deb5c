import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';

/**
 * Runs a task until it has finished.
 * @returns the exit code of its process; undefined if the user stopped it
 */
export async function runTask(task: vscode.Task): Promise<number | undefined> {
  const owned = new DisposableSet();
  try {
    return await new Promise<number | undefined>((resolve, reject) => {
      // The end event can fire before the call returns the execution.
      const started = Promise.resolve().then(() => vscode.tasks.executeTask(task));
      const ended = async (of: vscode.TaskExecution, exitCode?: number): Promise<void> => {
        if (of === (await started)) resolve(exitCode);
      };
      owned.add(
        vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
          ended(execution, exitCode).catch(reject);
        }),
      );
      // This event fires after the process has exited, and even if no process was started.
      owned.add(
        vscode.tasks.onDidEndTask(({ execution }) => {
          ended(execution).catch(reject);
        }),
      );
      started.catch(reject);
    });
  } finally {
    owned.dispose();
  }
}
