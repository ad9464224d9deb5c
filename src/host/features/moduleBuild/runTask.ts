import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';

/** Runs a task to its end. @returns the exit code of its process; undefined when somebody ended it */
export async function runTask(task: vscode.Task): Promise<number | undefined> {
  const owned = new DisposableSet();
  try {
    return await new Promise<number | undefined>((resolve, reject) => {
      // The end may be told before the call returns what it is the end of.
      const started = Promise.resolve().then(() => vscode.tasks.executeTask(task));
      const ended = async (of: vscode.TaskExecution, exitCode?: number): Promise<void> => {
        if (of === (await started)) resolve(exitCode);
      };
      owned.add(
        vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
          ended(execution, exitCode).catch(reject);
        }),
      );
      // Told after the end of the process, and also where none was started.
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
