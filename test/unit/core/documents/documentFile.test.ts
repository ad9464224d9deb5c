import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import {
  ContentMismatchError,
  InvalidDocumentError,
  SaveCanceledError,
  SaveConflictError,
} from '../../../../src/core/documents/configSource';
import type { DocumentFile } from '../../../../src/core/documents/documentFile';
import type { KeyValue } from '../../../../src/core/ports';
import { MemoryKeyValue } from '../../../support/memoryPorts';
import { waitUntil } from '../../../support/waitUntil';
import { MemoryConfig } from './support/memoryConfig';
import { DOCUMENT_URI, createDocumentFile, openEditor } from './support/documents';
import { ScriptedEditor } from './support/scriptedEditor';

const CONFIG = '{\n  "rpm": 100,\n  "pin": 1\n}\n';
const faster = (text: string): string => text.replace('100', '200');

/**
 * Asserts that a resolved conflict has no aftereffects: neither Fleetwright nor VS Code prompts
 * again.
 */
async function savesOnAndOn(config: MemoryConfig, editor: ScriptedEditor): Promise<void> {
  await editor.waitUntilIdle();
  await editor.save();
  for (const rpm of ['1', '22222', '333']) {
    editor.edit((text) => text.replace(/"rpm": \d+/, `"rpm": ${rpm}`));
    await editor.save();
    await editor.save();
    assert.ok(config.stored.includes(`"rpm": ${rpm}`));
  }
}

describe('DocumentFile under an editor', () => {
  it('opens with one call and reports the size in bytes', async () => {
    const config = new MemoryConfig('{\n  "name": "Füße"\n}');
    const { file } = await openEditor(config);
    assert.equal(config.reads, 1);
    assert.equal((await file.stat()).size, new TextEncoder().encode(config.stored).length);
  });

  it('saves an edit with the version it started from', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit(faster);
    await editor.save();
    assert.equal(config.stored, faster(CONFIG));
    assert.deepEqual(config.writes, [
      { text: faster(CONFIG), name: 'left arm', lastKnownVersion: '1800000000.000000000' },
    ]);
    assert.equal(editor.dirty, false);
  });

  it('sends nothing if the user cancels the save, and saves when the user agrees', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    editor.edit(faster);
    const compared: [string, string][] = [];
    const cancel = file.write(faster(CONFIG), (text, saved) => {
      compared.push([text, saved.text]);
      return Promise.reject(new SaveCanceledError());
    });
    await assert.rejects(cancel, SaveCanceledError);
    assert.deepEqual(compared, [[faster(CONFIG), CONFIG]]);
    assert.equal(config.writes.length, 0);
    assert.equal(file.editorState, 'dirty');
    assert.equal(editor.text, faster(CONFIG));
    await file.write(faster(CONFIG), () => Promise.resolve());
    assert.equal(config.stored, faster(CONFIG));
  });

  it('reviews neither a save that changes no value nor one that the user agreed to', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    const fail = () => Promise.reject(new SaveCanceledError());
    editor.edit((text) => text.replaceAll('  ', '    '));
    await file.write(CONFIG.replaceAll('  ', '    '), fail);
    editor.edit(faster);
    file.approve(faster(CONFIG), await file.readNow());
    await file.write(faster(CONFIG), fail);
    assert.equal(config.stored, faster(CONFIG));
  });

  it('saves repeatedly from the same editor', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    for (const rpm of ['200', '3000', '4']) {
      editor.edit((text) => text.replace(/\d+,/, `${rpm},`));
      await editor.save();
    }
    assert.equal(config.writes.length, 3);
    assert.match(config.stored, /"rpm": 4,/);
  });

  it('reads the service and writes nothing for a save that changes nothing', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    await editor.save();
    assert.equal(config.reads, 2);
    assert.equal(config.writes.length, 0);
  });

  it('formats a config that is stored on one line, and writes nothing if it is saved unchanged', async () => {
    const config = new MemoryConfig('{"b":[1,9007199254740993],"a":{}}');
    const { editor } = await openEditor(config);
    assert.equal(editor.text, '{\n  "b": [\n    1,\n    9007199254740993\n  ],\n  "a": {}\n}');
    await editor.save();
    assert.equal(config.writes.length, 0);
  });

  it('preserves key order, unknown keys, and digits beyond 2^53', async () => {
    const text = '{\n  "z": 1,\n  "new_in_2031": {"x": 1.50},\n  "a": 12345678901234567890\n}';
    const config = new MemoryConfig(text);
    const { editor } = await openEditor(config);
    editor.edit((shown) => shown.replace('"z": 1', '"z": 2'));
    await editor.save();
    assert.equal(config.stored, text.replace('"z": 1', '"z": 2'));
  });

  it('detects an edit of the same length by another client', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    editor.edit((text) => text.replace('"pin": 1', '"pin": 7'));
    config.editElsewhere(faster(CONFIG));
    await assert.rejects(editor.save(), SaveConflictError);
    assert.equal(config.stored, faster(CONFIG));
    assert.equal(editor.dirty, true);
    assert.equal(file.isChangedElsewhere, true);
  });

  it('handles a longer edit by another client itself instead of VS Code', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit(faster);
    config.editElsewhere(CONFIG.replace('1\n', '1,\n  "added": true\n'));
    await assert.rejects(editor.save(), SaveConflictError);
  });

  it('detects the edit even if the service ignores the expected version', async () => {
    const config = new MemoryConfig(CONFIG);
    config.honorsVersion = false;
    const { editor } = await openEditor(config);
    editor.edit(faster);
    config.editElsewhere(CONFIG.replace('"pin": 1', '"pin": 7'));
    await assert.rejects(editor.save(), SaveConflictError);
    assert.equal(config.writes.length, 0);
  });

  it('treats an identical edit by another client as saved, without a write', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit(faster);
    config.editElsewhere('{ "rpm": 200, "pin": 1 }');
    await editor.save();
    assert.equal(config.writes.length, 0);
    assert.equal(editor.dirty, false);
  });

  it('detects an edit between its check and its write', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit(faster);
    config.beforeWrite = () => config.editElsewhere(CONFIG.replace('"pin": 1', '"pin": 7'));
    await assert.rejects(editor.save(), SaveConflictError);
    assert.equal(config.writes.length, 0);
  });

  it('saves over a mere rename by another client and preserves the new name', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit(faster);
    config.renameElsewhere('right arm');
    await editor.save();
    assert.equal(config.name, 'right arm');
    config.beforeWrite = () => config.renameElsewhere('third arm');
    editor.edit((text) => text.replace('200', '300'));
    await editor.save();
    assert.equal(config.name, 'third arm');
  });

  it('reloads an editor without edits when the content changed, regardless of its length', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    config.editElsewhere(faster(CONFIG));
    config.announce();
    await editor.waitUntilIdle();
    assert.equal(editor.text, faster(CONFIG));
    editor.edit((text) => text.replace('200', '201'));
    await editor.save();
    assert.equal(config.writes.length, 1);
  });

  it('reloads metadata, which has no version, the same way', async () => {
    const config = new MemoryConfig('{\n  "rpm": 100\n}', 'struct');
    config.hasVersions = false;
    const { editor } = await openEditor(config);
    config.editElsewhere('{\n  "rpm": 200\n}');
    config.announce();
    await editor.waitUntilIdle();
    assert.match(editor.text, /200/);
    editor.edit((text) => text.replace('200', '250'));
    config.editElsewhere('{\n  "rpm": 300\n}');
    await assert.rejects(editor.save(), SaveConflictError);
  });

  it('preserves the base of edits when another reader opens the file', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    editor.edit(faster);
    config.editElsewhere(CONFIG.replace('"pin": 1', '"pin": 7'));
    await file.read();
    await assert.rejects(editor.save(), SaveConflictError);
  });

  it('saves after a revert to the stored content', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit(faster);
    config.editElsewhere(CONFIG.replace('"pin": 1', '"pin": 77'));
    await assert.rejects(editor.save(), SaveConflictError);
    await editor.revert();
    assert.match(editor.text, /"pin": 77/);
    editor.edit(faster);
    await editor.save();
    assert.match(config.stored, /"rpm": 200,\n {2}"pin": 77/);
    await savesOnAndOn(config, editor);
  });

  it('overwrites after the user has approved the newer state', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    editor.edit(faster);
    config.editElsewhere(CONFIG.replace('"pin": 1', '"pin": 77'));
    await assert.rejects(editor.save(), SaveConflictError);
    file.approve(editor.text, await file.readNow());
    await editor.save();
    assert.equal(file.isChangedElsewhere, false);
    assert.equal(config.stored, faster(CONFIG));
    await savesOnAndOn(config, editor);
  });

  it('prompts again if another edit follows the approved overwrite', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    editor.edit(faster);
    config.editElsewhere('{"pin": 2}');
    file.approve(editor.text, await file.readNow());
    config.editElsewhere('{"pin": 3}');
    await assert.rejects(editor.save(), SaveConflictError);
  });

  it('preserves the edits while offline and saves them later', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit(faster);
    config.offline = true;
    await assert.rejects(editor.save(), { name: 'FleetError', kind: 'unavailable' });
    assert.equal(editor.dirty, true);
    config.offline = false;
    await editor.save();
    assert.equal(config.stored, faster(CONFIG));
  });

  it('reports that another client deleted the resource', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    editor.edit(faster);
    config.deleted = true;
    await assert.rejects(editor.save(), { name: 'FleetError', kind: 'notFound' });
    await editor.waitUntilIdle();
    assert.equal(editor.orphaned, true);
    assert.equal(file.isDeleted, true);
    await assert.rejects(file.stat(), {
      kind: 'notFound',
      message: "The resource was deleted, or you don't have permission to view it.",
    });
    config.deleted = false;
    await file.refresh();
    assert.equal(file.isDeleted, false);
  });

  it('rejects text that is not JSON without a call', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    editor.edit((text) => `${text}// done`);
    await assert.rejects(editor.save(), InvalidDocumentError);
    assert.equal(config.writes.length, 0);
  });

  it('leaves the editor dirty when the service rejects the text, and saves a later valid text', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    config.rejection = new FleetError('invalid', 'components[0].name is missing');
    editor.edit(faster);
    await assert.rejects(editor.save(), { kind: 'invalid' });
    assert.equal(editor.dirty, true);
    config.rejection = undefined;
    await editor.save();
    assert.equal(editor.dirty, false);
  });

  it('reports a mismatch if the service stores something else', async () => {
    const config = new MemoryConfig(CONFIG);
    config.normalize = () => '{}';
    const { editor } = await openEditor(config);
    editor.edit(faster);
    await assert.rejects(editor.save(), ContentMismatchError);
    assert.equal(editor.dirty, true);
  });

  it('shows the stored text if only order or digits changed', async () => {
    const config = new MemoryConfig(CONFIG);
    config.normalize = () => '{"pin":1,"rpm":200}';
    const { editor, file } = await openEditor(config);
    editor.edit(faster);
    assert.equal(await file.write(editor.text), 'savedDifferently');
    await editor.save();
    await editor.waitUntilIdle();
    assert.equal(editor.text, '{\n  "pin": 1,\n  "rpm": 200\n}');
  });

  it('saves the text of auto save after every keystroke', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    for (const digit of '123456') {
      editor.edit((text) => text.replace(/\d+,/, (number) => `${number.slice(0, -1)}${digit},`));
      await editor.save();
      config.announce();
      await editor.waitUntilIdle();
    }
    assert.equal(config.stored, editor.text);
    assert.equal(editor.dirty, false);
  });

  it('recognizes its own unconfirmed write after a reload', async () => {
    const config = new MemoryConfig(CONFIG);
    const storage = new MemoryKeyValue();
    const before = await openEditor(config, storage);
    before.editor.edit(faster);
    // The response to this write never arrives.
    config.onWillWrite = () => config.holdAnswers();
    void before.editor.save();
    await waitUntil(() => config.stored === faster(CONFIG));
    config.onWillWrite = undefined;
    config.stopDelayingResponses();
    before.editor.edit((text) => text.replace('200', '300'));
    const editor = new ScriptedEditor(createDocumentFile(config, storage)).restore(
      before.editor.backup(),
    );
    await editor.waitUntilIdle();
    await editor.save();
    assert.equal(config.stored, CONFIG.replace('100', '300'));
  });

  it('knows after a window reload, before VS Code restores them, that there are edits', async () => {
    const config = new MemoryConfig(CONFIG);
    const storage = new MemoryKeyValue();
    const { editor, file } = await openEditor(config, storage);
    assert.equal(file.hasEdits, false);
    editor.edit(faster);
    assert.equal(file.hasEdits, true);
    assert.equal(createDocumentFile(config, storage).hasEdits, true);
    await editor.save();
    assert.equal(file.hasEdits, false);
    assert.equal(createDocumentFile(config, storage).hasEdits, false);
  });

  for (const isDirty of [true, false]) {
    describe(`after a window reload with the editor ${isDirty ? '' : 'not '}reported as dirty`, () => {
      const reloaded = async (
        config: MemoryConfig,
        storage: KeyValue | undefined,
        duringRead: () => void = () => undefined,
      ): Promise<{ editor: ScriptedEditor; file: DocumentFile }> => {
        const before = await openEditor(config, storage);
        before.editor.edit(faster);
        duringRead();
        const file = createDocumentFile(config, storage);
        const editor = new ScriptedEditor(file).restore(before.editor.backup(), isDirty);
        await editor.waitUntilIdle();
        return { editor, file };
      };

      it('reviews the first save of restored edits', async () => {
        const config = new MemoryConfig(CONFIG);
        const { file } = await reloaded(config, new MemoryKeyValue());
        const reviewed: string[][] = [];
        await file.write(faster(CONFIG), (text, saved) => {
          reviewed.push([text, saved.text]);
          return Promise.resolve();
        });
        assert.deepEqual(reviewed, [[faster(CONFIG), CONFIG]]);
        assert.equal(config.stored, faster(CONFIG));
      });

      it('remembers the base of restored edits', async () => {
        const config = new MemoryConfig(CONFIG);
        const { editor } = await reloaded(config, new MemoryKeyValue(), () =>
          config.editElsewhere(CONFIG.replace('"pin": 1', '"pin": 77')),
        );
        await assert.rejects(editor.save(), (error) => {
          assert.ok(error instanceof SaveConflictError);
          assert.equal(error.base?.text, CONFIG);
          return true;
        });
      });

      it('saves restored edits without a prompt if no other client wrote', async () => {
        const config = new MemoryConfig(CONFIG);
        const storage = new MemoryKeyValue();
        const { editor } = await reloaded(config, storage);
        await editor.save();
        assert.equal(config.stored, faster(CONFIG));
        await savesOnAndOn(config, editor);
        assert.equal(storage.get(`documents.base:${DOCUMENT_URI}`), undefined);
      });

      it('treats restored edits that were stored as edits again if their save fails', async () => {
        const config = new MemoryConfig(CONFIG);
        const storage = new MemoryKeyValue();
        const { editor, file } = await reloaded(config, storage, () =>
          config.editElsewhere(faster(CONFIG)),
        );
        assert.equal(file.editorState, isDirty ? 'dirty' : 'clean');
        const other = CONFIG.replace('"pin": 1', '"pin": 7');
        config.editElsewhere(other);
        await assert.rejects(editor.save(), SaveConflictError);
        assert.equal(file.editorState, 'dirty');
        assert.ok(file.isChangedElsewhere);
        const next = createDocumentFile(config, storage);
        const again = new ScriptedEditor(next).restore(editor.backup(), isDirty);
        await again.waitUntilIdle();
        await assert.rejects(again.save(), (error) => {
          assert.ok(error instanceof SaveConflictError);
          assert.equal(error.base?.text, isDirty ? CONFIG : faster(CONFIG));
          return true;
        });
        assert.equal(config.stored, other);
      });

      it('prompts if the base of restored edits is unknown', async () => {
        const config = new MemoryConfig(CONFIG);
        const { editor, file } = await reloaded(config, undefined, () =>
          config.editElsewhere('{"much": "longer than before, and by another user"}'),
        );
        await assert.rejects(editor.save(), (error) => {
          assert.ok(error instanceof SaveConflictError);
          assert.equal(error.base, undefined);
          return true;
        });
        file.approve(editor.text, await file.readNow());
        await editor.save();
        assert.equal(config.stored, faster(CONFIG));
        await savesOnAndOn(config, editor);
      });
    });
  }

  it('recognizes an editor without edits after a restart of the extension host', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    const again = editor.meet(createDocumentFile(config));
    await again.waitUntilIdle();
    again.edit(faster);
    await again.save();
    assert.equal(config.stored, faster(CONFIG));
  });

  it('reloads an editor without edits that became outdated during a restart', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor } = await openEditor(config);
    config.editElsewhere(CONFIG.replace('"pin": 1', '"pin": 7'));
    const again = editor.meet(createDocumentFile(config));
    await again.waitUntilIdle();
    assert.match(again.text, /"pin": 7/);
    again.edit(faster);
    await again.save();
    assert.match(config.stored, /"pin": 7/);
  });

  it('shows the latest state after Undo to the saved text, even after several changes of the service', async () => {
    const config = new MemoryConfig(CONFIG);
    const { editor, file } = await openEditor(config);
    editor.edit(faster);
    for (let pin = 2; pin < 20; pin += 1) {
      config.editElsewhere(CONFIG.replace('"pin": 1', `"pin": ${pin}`));
      await file.refresh();
    }
    editor.undo();
    await editor.waitUntilIdle();
    assert.equal(editor.dirty, false);
    assert.match(editor.text, /"pin": 19/);
    assert.equal(file.editorState, 'clean');
  });

  it('overwrites the current state without an editor', async () => {
    const config = new MemoryConfig(CONFIG);
    const file = createDocumentFile(config);
    await file.write('{"a": 1}');
    assert.equal(config.stored, '{"a": 1}');
  });

  it('separates two documents', async () => {
    const [left, right] = [new MemoryConfig(CONFIG), new MemoryConfig(CONFIG)];
    const editors = [await openEditor(left), await openEditor(right)];
    for (const { editor } of editors) editor.edit(faster);
    right.editElsewhere('{"pin": 9}');
    const results = await Promise.allSettled(editors.map(({ editor }) => editor.save()));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    assert.equal(left.stored, faster(CONFIG));
    assert.equal(right.stored, '{"pin": 9}');
  });
});
