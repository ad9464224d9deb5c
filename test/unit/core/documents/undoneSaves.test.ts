import assert from 'node:assert/strict';
import { SaveConflictError } from '../../../../src/core/documents/configSource';
import { waitUntil } from '../../../support/waitUntil';
import { openEditor } from './support/documents';
import { MemoryConfig } from './support/memoryConfig';
import type { ScriptedEditor } from './support/scriptedEditor';

const CONFIG = '{\n  "max_rpm": 14\n}';

const setSpeed = (editor: ScriptedEditor, rpm: number): void =>
  editor.edit((text) => text.replace(/\d+/, String(rpm)));

describe('DocumentFile after Undo and Redo past saves', () => {
  for (const wireFormat of ['text', 'struct'] as const) {
    it(`stores the text that Undo restored (${wireFormat})`, async () => {
      const config = new MemoryConfig(CONFIG, wireFormat);
      const { editor } = await openEditor(config);
      setSpeed(editor, 15);
      await editor.save();
      setSpeed(editor, 16);
      await editor.save();
      editor.undo();
      await editor.save();
      assert.match(editor.text, /15/);
      assert.equal(editor.dirty, false);
      assert.match(config.stored, /15/);
    });
  }

  it('stores every text of three undos and two redos after four saves', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    for (const rpm of [15, 16, 17, 18]) {
      setSpeed(editor, rpm);
      await editor.save();
    }
    const stored: string[] = [];
    for (const act of ['undo', 'undo', 'undo', 'redo', 'redo'] as const) {
      editor[act]();
      await editor.save();
      stored.push(/\d+/.exec(config.stored)?.[0] ?? '');
    }
    assert.deepEqual(stored, ['17', '16', '15', '16', '17']);
  });

  it('never mistakes its own earlier save for a change by another client', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    for (const rpm of [15, 16]) {
      setSpeed(editor, rpm);
      await editor.save();
    }
    editor.undo();
    setSpeed(editor, 17);
    await editor.save();
    assert.match(config.stored, /17/);
  });

  it('still detects a change by another client after Undo past a save', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    setSpeed(editor, 15);
    await editor.save();
    config.editElsewhere(CONFIG);
    editor.undo();
    setSpeed(editor, 19);
    await assert.rejects(editor.save(), SaveConflictError);
    assert.equal(config.stored, CONFIG);
  });

  it('saves an undone text again if the response to the save was lost', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    setSpeed(editor, 15);
    config.losesAnswer = true;
    await assert.rejects(editor.save(), { kind: 'unavailable' });
    assert.match(config.stored, /15/);
    config.losesAnswer = false;
    editor.undo();
    await editor.save();
    assert.equal(config.stored, CONFIG);
  });

  it('does not show an outdated read that overlaps with a save', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    const release = config.holdAnswers();
    const refreshed = file.refresh();
    await editor.waitUntilIdle();
    config.stopDelayingResponses();
    setSpeed(editor, 15);
    await editor.save();
    release();
    await refreshed;
    await editor.waitUntilIdle();
    assert.match(editor.text, /15/);
    setSpeed(editor, 16);
    await editor.save();
    assert.match(config.stored, /16/);
  });

  it('preserves Undo during a save if the read after the save fails at first', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    setSpeed(editor, 15);
    config.beforeWrite = () => editor.undo();
    config.onDidWrite = () => {
      config.offline = true;
    };
    await editor.save();
    config.onDidWrite = undefined;
    assert.match(config.stored, /15/);
    await editor.waitUntilIdle();
    config.offline = false;
    await waitUntil(() => editor.dirty);
    assert.equal(editor.text, CONFIG);
    await editor.save();
    assert.equal(config.stored, CONFIG);
    file.dispose();
  });

  it('removes a pasted byte order mark from the service and from the editor', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit((text) => `\uFEFF${text}`);
    await editor.save();
    await editor.waitUntilIdle();
    assert.equal(config.stored, CONFIG);
    assert.equal(editor.text, CONFIG);
    assert.equal(editor.dirty, false);
  });

  it('stores other line breaks if the service stores the text', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit((text) => text.replaceAll('\n', '\r\n'));
    await editor.save();
    assert.equal(config.stored, CONFIG.replaceAll('\n', '\r\n'));
  });

  it('prompts again if an approved overwrite failed and the text was changed since', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    setSpeed(editor, 15);
    config.editElsewhere('{\n  "max_rpm": 99\n}');
    await assert.rejects(editor.save(), SaveConflictError);
    file.approve(editor.text, await file.readNow());
    config.offline = true;
    await assert.rejects(editor.save(), { kind: 'unavailable' });
    config.offline = false;
    setSpeed(editor, 16);
    await assert.rejects(editor.save(), SaveConflictError);
    assert.match(config.stored, /99/);
  });
});
