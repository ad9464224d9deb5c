import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { EditorRecorder } from '../../host/support/editorRecorder';

const FLUSH_INTERVAL_MS = 50;

/** Serves one recorded file and appends what is recorded to the file that the environment names. */
export function activate(context: vscode.ExtensionContext): void {
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
  context.subscriptions.push(
    recorder,
    { dispose: () => clearInterval(timer) },
    vscode.commands.registerCommand('recorder.open', () =>
      vscode.window.showTextDocument(uri, { preview: false }),
    ),
  );
}
