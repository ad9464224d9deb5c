import assert from 'node:assert/strict';
import type { DocumentFile } from '../../../../src/core/documents/documentFile';
import { advanceBase, mergeJson } from '../../../../src/core/documents/jsonMerge';
import { MemoryKeyValue } from '../../../support/memoryPorts';
import { createDocumentFile, openEditor } from './support/documents';
import { MemoryConfig } from './support/memoryConfig';
import { ScriptedEditor } from './support/scriptedEditor';

const CONFIG = '{\n  "rpm": 100,\n  "pin": 1\n}\n';
const faster = (text: string): string => text.replace('100', '200');

const getMergeBase = ({ base, merges }: DocumentFile, text: string): string =>
  advanceBase(base?.text ?? assert.fail(), merges, text);

describe('the base of a merge after DocumentFile.noteMerge', () => {
  it('contains the changes of a merge whose save failed, also after further edits', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    const merge = (): void => {
      const base = getMergeBase(file, editor.text);
      const result = mergeJson({ base, mine: editor.text, theirs: config.stored });
      assert.deepEqual(result?.overlaps, []);
      editor.edit(() => result.text);
      file.noteMerge({ remote: config.stored, merged: editor.text });
    };
    editor.edit(faster);
    config.editElsewhere('{"rpm": 100, "pin": 7, "added": 1}');
    merge();
    config.offline = true;
    await assert.rejects(editor.save(), { kind: 'unavailable' });
    config.offline = false;
    editor.edit((text) => text.replace('200', '300'));
    config.editElsewhere('{"rpm": 100, "pin": 8}');
    merge();
    assert.deepEqual(JSON.parse(editor.text), { rpm: 300, pin: 8 });
    config.editElsewhere('{"rpm": 100, "pin": 1}');
    merge();
    assert.deepEqual(JSON.parse(editor.text), { rpm: 300, pin: 1 });
    file.approve(editor.text, await file.readNow());
    await editor.save();
    assert.equal(getMergeBase(file, editor.text), editor.text);
  });

  it('is the original base after Undo of a merge', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    editor.edit(faster);
    const remote = '{"rpm": 100, "pin": 7, "added": 1}';
    config.editElsewhere(remote);
    file.noteMerge({ remote, merged: '{"rpm": 200, "pin": 7, "added": 1}' });
    const base = getMergeBase(file, editor.text);
    assert.deepEqual(JSON.parse(base), JSON.parse(CONFIG));
  });

  it('is remembered across a window reload', async () => {
    const config = new MemoryConfig(CONFIG);
    const storage = new MemoryKeyValue();
    const { editor, file } = await openEditor(config, storage);
    editor.edit(faster);
    const remote = '{"rpm": 100, "pin": 7}';
    config.editElsewhere(remote);
    editor.edit(() => '{"rpm": 200, "pin": 7}');
    file.noteMerge({ remote, merged: editor.text });
    const restoredFile = createDocumentFile(config, storage);
    const restored = new ScriptedEditor(restoredFile).restore(editor.backup(), true);
    await restored.waitUntilIdle();
    const base = getMergeBase(restoredFile, restored.text);
    assert.deepEqual(JSON.parse(base), JSON.parse(remote));
  });
});
