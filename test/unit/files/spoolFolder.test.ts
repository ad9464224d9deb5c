import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpoolFolder } from '../../../src/files/spoolFolder';

describe('temporary files for results', () => {
  let parent: string;
  let folder: string;
  let spools: SpoolFolder;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'fleetwright-spool-'));
    folder = join(parent, 'results');
    spools = new SpoolFolder(folder, (reason) => `Not kept: ${reason}`);
  });

  afterEach(() => {
    rmSync(parent, { recursive: true, force: true });
  });

  it('return what was added in chunks', async () => {
    const spool = await spools.create();
    await spool.append(Uint8Array.of(1, 2, 3));
    await spool.append(Uint8Array.of(4, 5));
    assert.deepEqual(await spool.read(1, 3), Uint8Array.of(2, 3, 4));
    assert.deepEqual(await spool.read(5, 0), new Uint8Array());
    await assert.rejects(spool.read(3, 3), { kind: 'unavailable', message: /^Not kept: / });
    spool.dispose();
  });

  it('are private, and deleted with the process regardless of how it exits', async () => {
    const spool = await spools.create();
    await spool.append(Uint8Array.of(1));
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(statSync(folder).mode & 0o077, 0);
    spool.dispose();
    await assert.rejects(spool.read(0, 1));
  });

  it('are deleted if others left some, while those in use remain usable', async () => {
    const spool = await spools.create();
    await spool.append(Uint8Array.of(7));
    writeFileSync(join(folder, 'left behind'), 'x');
    await new SpoolFolder(folder, String).sweep();
    assert.equal(existsSync(join(folder, 'left behind')), false);
    assert.deepEqual(await spool.read(0, 1), Uint8Array.of(7));
    spool.dispose();
    await new SpoolFolder(join(parent, 'none'), String).sweep();
  });

  it('report why they cannot be created', async () => {
    writeFileSync(folder, 'a file in the way');
    await assert.rejects(spools.create(), { kind: 'unavailable', message: /^Not kept: .*EEXIST/ });
  });
});
