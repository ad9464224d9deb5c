import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import type { FileSource } from '../../../../../src/core/data/uploads/fileSource';
import { connectionId, machineId, partId } from '../../../../../src/core/model/ids';
import type { PartTarget } from '../../../../../src/core/model/resourceTarget';
import { withoutDuplicates } from '../../../../../src/host/features/uploads/uploadFiles';
import type { FileSearchResult } from '../../../../../src/host/platform/featureInterfaces';
import { ScriptedPrompts } from '../../../../host/support/scriptedPrompts';
import { inMemory, type UploadsFleet } from '../../../core/data/uploadsFleet';

describe('withoutDuplicates', () => {
  let fleet: UploadsFleet;
  let prompts: ScriptedPrompts;

  beforeEach(async () => {
    fleet = await inMemory();
    prompts = new ScriptedPrompts();
    for (const path of ['a.jpg', 'b.jpg']) {
      const origin = { partId: fleet.part, componentName: '', componentType: '', method: '' };
      await fleet.stores.uploads.file({ ...file(path), origin, tags: [], datasets: [] });
    }
  });

  afterEach(async () => {
    prompts[Symbol.dispose]();
    await fleet.close();
  });

  function file(path: string): FileSource {
    return {
      path,
      size: 10,
      async *read() {
        yield await Promise.resolve(Buffer.alloc(10));
      },
    };
  }

  function check(...paths: readonly string[]): Promise<FileSearchResult> {
    const part = {
      kind: 'part',
      connectionId: connectionId('1'),
      organizationId: fleet.organization,
      machineId: machineId('m'),
      machineName: 'arm-1',
      partId: fleet.part,
      name: 'main',
    } as unknown as PartTarget;
    const found = { files: paths.map(file), skipped: [{ name: '.x', reason: 'It is hidden.' }] };
    return withoutDuplicates(fleet.stores.binaryData, found, part);
  }

  const paths = ({ files }: FileSearchResult): readonly string[] => files.map(({ path }) => path);

  it('skips the files that the part already has, and reports them', async () => {
    const checked = check('shots/a.jpg', 'b.jpg', 'c.jpg');
    const prompt = await prompts.next('2 of 3 files are already in this part.');
    assert.match(
      prompt.text(),
      /Files with the same name and size already exist in arm-1 › main\./,
    );
    assert.deepEqual(prompt.choices(), ['Skip Duplicates', 'Upload All']);
    prompt.accept('Skip Duplicates');
    const chosen = await checked;
    assert.deepEqual(paths(chosen), ['c.jpg']);
    assert.deepEqual(
      chosen.skipped.map(({ name }) => name),
      ['.x', 'shots/a.jpg', 'b.jpg'],
    );
  });

  it('uploads all files if the user chooses to, and none if the user cancels', async () => {
    const all = check('a.jpg', 'c.jpg');
    (await prompts.next('1 of 2 files is already in this part.')).accept('Upload All');
    assert.deepEqual(paths(await all), ['a.jpg', 'c.jpg']);
    const none = check('a.jpg', 'b.jpg');
    const prompt = await prompts.next('All 2 files are already in this part.');
    assert.deepEqual(prompt.choices(), ['Upload All']);
    prompt.leave();
    await assert.rejects(none, { kind: 'canceled' });
    const one = check('a.jpg');
    (await prompts.next('"a.jpg" is already in this part.')).accept('Upload Again');
    assert.deepEqual(paths(await one), ['a.jpg']);
  });

  it('does not prompt if all files are new, or the part cannot be read', async () => {
    assert.deepEqual(paths(await check('c.jpg')), ['c.jpg']);
    const page = () => Promise.reject(new FleetError('permission', 'No permission.'));
    const found = { files: [file('a.jpg')], skipped: [] };
    const part = { partId: partId('p') } as PartTarget;
    assert.deepEqual(paths(await withoutDuplicates({ page }, found, part)), ['a.jpg']);
  });
});
