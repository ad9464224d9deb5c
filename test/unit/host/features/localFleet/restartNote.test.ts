import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RestartNote } from '../../../../../src/host/features/localFleet/localFleet';

describe('RestartNote', () => {
  let folder: string;
  let file: string;
  const windowNote = () => new RestartNote(() => folder);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-note-'));
    file = join(folder, 'restart.json');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('exists while the work runs', async () => {
    const [here, there] = [windowNote(), windowNote()];
    assert.equal(await there.isThere(), false);
    assert.equal(await here.during(() => there.isThere()), true);
    assert.equal(await there.isThere(), false);
  });

  it('is deleted when the work fails', async () => {
    const note = windowNote();
    await assert.rejects(note.during(() => Promise.reject(new Error('failed'))));
    assert.equal(existsSync(file), false);
  });

  it('allows one of two windows to work while the other waits', async () => {
    const [here, there] = [windowNote(), windowNote()];
    let isThrough = false;
    const both = await here.during(async () => {
      const second = there.during(() => Promise.resolve(isThrough));
      // After these polls, the second window has detected that the first window is working.
      for (let attempt = 0; attempt < 20; attempt += 1) assert.equal(await there.isThere(), true);
      isThrough = true;
      return { second };
    });
    assert.equal(await both?.second, undefined);
    assert.equal(existsSync(file), false);
  });

  it('is ignored after its window was closed', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(file, JSON.stringify({ pid }));
    const note = windowNote();
    assert.equal(await note.isThere(), false);
    assert.equal(await note.during(() => Promise.resolve('done')), 'done');
    assert.equal(existsSync(file), false);
  });

  it('is optional for the work', async () => {
    const note = new RestartNote(() => join(folder, 'nowhere'));
    assert.equal(await note.during(() => Promise.resolve('done')), 'done');
  });
});
