import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { EditorRecorder } from './support/editorRecorder';

const TIME_LIMIT_MS = 10_000;
const POLL_MS = 20;
/** Time that is long enough for an unexpected event to arrive. */
const QUIET_MS = 150;

/** All events of a normal save of `text`. */
const getSaveEvents = (text: string): string[] => [
  `will save dirty ${text}`,
  'stat',
  `write ${text}`,
  'stat',
  `state clean ${text}`,
  `state clean ${text}`,
  `saved clean ${text}`,
];

/**
 * Tests VS Code's calls and events while a document is edited and saved. `ScriptedEditor` in the
 * unit tests follows these recordings. If a line changes with a new version of VS Code,
 * `ScriptedEditor` and possibly `DocumentFile` must be changed accordingly.
 */
describe('VS Code, when a document of a file system provider is edited and saved,', () => {
  let recorder: EditorRecorder;
  let uri: vscode.Uri;
  let document: vscode.TextDocument;
  let editor: vscode.TextEditor;
  let files = 0;

  beforeEach(async () => {
    recorder = new EditorRecorder();
    files += 1;
    uri = recorder.put(`${files}.txt`, 'one');
    document = await vscode.workspace.openTextDocument(uri);
    editor = await vscode.window.showTextDocument(document, { preview: false });
    // This editor and the previously closed one still request the modification time.
    await sleep(QUIET_MS);
    const opened = recorder.take().filter((line) => line !== 'stat');
    assert.deepEqual(opened, ['read one', 'open clean one']);
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    recorder.dispose();
  });

  /**
   * Waits until exactly the expected lines, or an alternative of the same length, were recorded
   * since the last call.
   */
  async function expectRecorded(
    expected: readonly string[],
    alternative: readonly string[] = expected,
  ): Promise<void> {
    const deadline = performance.now() + TIME_LIMIT_MS;
    const lines: string[] = [];
    while (lines.length < expected.length && performance.now() < deadline) {
      await sleep(POLL_MS);
      lines.push(...recorder.take());
    }
    await sleep(QUIET_MS);
    lines.push(...recorder.take());
    if (!isDeepStrictEqual(lines, alternative)) assert.deepEqual(lines, expected);
  }

  const write = (text: string): Thenable<boolean> =>
    editor.edit((edit) => edit.replace(document.lineAt(0).range, text));

  const run = (command: string): Thenable<unknown> => vscode.commands.executeCommand(command);

  async function writeAndSave(...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      await write(text);
      await run('workbench.action.files.save');
    }
    await sleep(QUIET_MS);
    recorder.take();
  }

  /** Starts a save of `text`; returns a function that lets the save complete. */
  async function holdSave(text: string): Promise<() => Promise<void>> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    recorder.beforeWrite = () => promise;
    const save = run('workbench.action.files.save');
    await expectRecorded([`will save dirty ${text}`, 'stat', `write ${text}`]);
    return async () => {
      recorder.beforeWrite = undefined;
      resolve(undefined);
      await save;
    };
  }

  /**
   * Returns to the previously saved text during a save; returns a function that lets the save
   * complete.
   */
  async function undoDuringSave(): Promise<() => Promise<void>> {
    await writeAndSave('two');
    await write('three');
    await expectRecorded(['changed clean three', 'state dirty three']);
    const finish = await holdSave('three');
    await run('undo');
    await expectRecorded(['changed by Undo dirty two', 'state clean two']);
    return finish;
  }

  it('reports the first edit as clean', async () => {
    await write('two');
    await expectRecorded(['changed clean two', 'state dirty two']);
    await write('three');
    await expectRecorded(['changed dirty three']);
  });

  it('writes a dirty document, and a clean one too', async () => {
    await write('two');
    await run('workbench.action.files.save');
    await expectRecorded(['changed clean two', 'state dirty two', ...getSaveEvents('two')]);
    await run('workbench.action.files.save');
    await expectRecorded([
      'will save clean two',
      'stat',
      'write two',
      'stat',
      'state clean two',
      'saved clean two',
    ]);
  });

  it('reports the first undo past a save as clean, with the older text', async () => {
    await writeAndSave('two', 'three');
    await run('undo');
    await expectRecorded(['changed by Undo clean two', 'state dirty two']);
    await run('undo');
    await expectRecorded(['changed by Undo dirty one']);
    await run('redo');
    await expectRecorded(['changed by Redo dirty two']);
    await run('redo');
    await expectRecorded(['changed by Redo dirty three', 'state clean three']);
  });

  it('reports an edit during a save as clean', async () => {
    await write('two');
    await expectRecorded(['changed clean two', 'state dirty two']);
    const finish = await holdSave('two');
    await write('three');
    await finish();
    await expectRecorded(['changed dirty three', 'stat', 'state clean three', 'saved clean three']);
    await run('undo');
    await expectRecorded(['changed by Undo dirty two']);
    await run('undo');
    await expectRecorded(['changed by Undo dirty one', 'state clean one']);
  });

  it('reports Undo during a save, back to the previously saved text, as saved', async () => {
    const finish = await undoDuringSave();
    await finish();
    await expectRecorded(['stat', 'state clean two', 'saved clean two']);
    recorder.put(`${files}.txt`, 'three');
    await expectRecorded(['stat', 'read three', 'changed clean three']);
    await write('two');
    await expectRecorded(['changed clean two', 'state dirty two']);
    await run('undo');
    await expectRecorded(['changed by Undo dirty three', 'state clean three']);
    await run('undo');
    await expectRecorded(['changed by Undo clean two', 'state dirty two']);
  });

  it('writes again when a save was requested during another', async () => {
    const finish = await undoDuringSave();
    const second = run('workbench.action.files.save');
    await expectRecorded([]);
    await finish();
    await second;
    await expectRecorded([
      ...['stat', 'state clean two', 'saved clean two'],
      ...['will save clean two', 'stat', 'write two'],
      ...['stat', 'state clean two', 'saved clean two'],
    ]);
  });

  it('leaves a document dirty whose save failed, and makes a clean one dirty', async () => {
    await write('two');
    recorder.failure = new Error('The disk is full.');
    await run('workbench.action.files.save');
    await expectRecorded([
      'changed clean two',
      'state dirty two',
      'will save dirty two',
      'stat',
      'write two',
    ]);
    await run('undo');
    await expectRecorded(['changed by Undo dirty one', 'state clean one']);
    recorder.failure = new Error('The disk is full.');
    await run('workbench.action.files.save');
    await expectRecorded(['will save clean one', 'stat', 'write one', 'state dirty one']);
  });

  it('reads before it requests the time when it reverts', async () => {
    await write('two');
    await run('workbench.action.files.revert');
    await expectRecorded([
      ...['changed clean two', 'state dirty two'],
      ...['read one', 'stat', 'changed clean one', 'state clean one'],
    ]);
  });

  it('reloads a clean document without an event, and does not reload a dirty one', async () => {
    recorder.put(`${files}.txt`, 'elsewhere');
    await expectRecorded(['stat', 'read elsewhere', 'changed clean elsewhere']);
    await write('mine');
    recorder.put(`${files}.txt`, 'elsewhere again');
    await expectRecorded(['changed clean mine', 'state dirty mine']);
    await run('undo');
    await expectRecorded(['changed by Undo dirty elsewhere', 'state clean elsewhere']);
  });

  // Formatters and listeners of the save announcement run in the order in which they were
  // registered.
  it('formats before or after it announces the save, and writes the formatted text', async () => {
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { scheme: uri.scheme },
      {
        provideDocumentFormattingEdits: () => [
          vscode.TextEdit.insert(new vscode.Position(0, 0), '!'),
        ],
      },
    );
    const settings = vscode.workspace.getConfiguration('editor');
    try {
      await settings.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
      await write('two');
      await run('workbench.action.files.save');
    } finally {
      await settings.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
      formatter.dispose();
    }
    const edit = ['changed clean two', 'state dirty two'];
    await expectRecorded(
      [...edit, 'changed dirty !two', ...getSaveEvents('!two')],
      [...edit, 'will save dirty two', 'changed dirty !two', ...getSaveEvents('!two').slice(1)],
    );
  });

  it('saves after a delay in the same way as on request, also after Undo', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    const { Global } = vscode.ConfigurationTarget;
    try {
      await settings.update('autoSaveDelay', 100, Global);
      await settings.update('autoSave', 'afterDelay', Global);
      await write('two');
      await expectRecorded(['changed clean two', 'state dirty two', ...getSaveEvents('two')]);
      await run('undo');
      await expectRecorded([
        'changed by Undo clean one',
        'state dirty one',
        ...getSaveEvents('one'),
      ]);
    } finally {
      await settings.update('autoSave', 'off', Global);
      await settings.update('autoSaveDelay', undefined, Global);
    }
  });

  it('closes and opens a document to change its language', async () => {
    await write('two');
    await vscode.languages.setTextDocumentLanguage(document, 'markdown');
    await expectRecorded([
      'changed clean two',
      'state dirty two',
      'close dirty two',
      'open dirty two',
    ]);
  });

  it('reports nothing for a second editor of a document', async () => {
    await run('workbench.action.splitEditor');
    await sleep(QUIET_MS);
    assert.deepEqual(
      recorder.take().filter((line) => line !== 'stat'),
      [],
    );
    await write('two');
    await run('workbench.action.closeActiveEditor');
    await expectRecorded(['changed clean two', 'state dirty two']);
    await vscode.window.showTextDocument(document);
  });
});
