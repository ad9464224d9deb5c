import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { EditorRecorder } from './editorRecorder';

const FLUSH_INTERVAL_MS = 50;
const OPENED = 'opened';

/**
 * Activates a separate extension, which appends its recordings to the file given in an environment
 * variable. The first window opens the recorded document; later windows restore it.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const recorder = new EditorRecorder();
  const uri = recorder.put('document.txt', 'one');
  const log = process.env.FLEETWRIGHT_TEST_RECORDING ?? '';
  appendFileSync(log, 'activated\n');
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.toString() !== uri.toString()) continue;
    const state = document.isDirty ? 'dirty' : 'clean';
    appendFileSync(log, `present ${state} ${document.getText()}\n`);
  }
  const timer = setInterval(() => {
    for (const line of recorder.take()) appendFileSync(log, `${line}\n`);
  }, FLUSH_INTERVAL_MS);
  context.subscriptions.push(recorder, { dispose: () => clearInterval(timer) });
  if (context.globalState.get(OPENED) === true) return;
  await context.globalState.update(OPENED, true);
  await vscode.window.showTextDocument(uri, { preview: false });
}
