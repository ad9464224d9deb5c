import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFolder } from '../../../../../../src/host/features/modules/generate/writeFolder';

const FILES = [
  { path: 'src/main.ts', text: 'export {};\n', isExecutable: false },
  { path: 'run.sh', text: '#!/bin/sh\n', isExecutable: true },
];

describe('writeFolder', () => {
  let parent: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'fleetwright-generate-'));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('creates the folder with its files, and makes scripts executable', async () => {
    const folder = join(parent, 'weather');
    assert.equal(await writeFolder(folder, FILES), true);
    assert.equal(readFileSync(join(folder, 'src', 'main.ts'), 'utf8'), 'export {};\n');
    assert.equal(statSync(join(folder, 'run.sh')).mode & 0o111, 0o111);
    assert.equal(statSync(join(folder, 'src', 'main.ts')).mode & 0o111, 0);
    assert.equal(statSync(folder).mode & 0o777, 0o755);
    assert.deepEqual(readdirSync(parent), ['weather']);
  });

  it('accepts an empty folder', async () => {
    mkdirSync(join(parent, 'weather'));
    assert.equal(await writeFolder(join(parent, 'weather'), FILES), true);
    assert.deepEqual(readdirSync(join(parent, 'weather')).sort(), ['run.sh', 'src']);
  });

  it('does not change an existing folder', async () => {
    mkdirSync(join(parent, 'weather'));
    writeFileSync(join(parent, 'weather', 'run.sh'), 'mine');
    assert.equal(await writeFolder(join(parent, 'weather'), FILES), false);
    assert.equal(readFileSync(join(parent, 'weather', 'run.sh'), 'utf8'), 'mine');
    assert.deepEqual(readdirSync(parent), ['weather']);

    writeFileSync(join(parent, 'file'), 'mine');
    assert.equal(await writeFolder(join(parent, 'file'), FILES), false);
    assert.equal(readFileSync(join(parent, 'file'), 'utf8'), 'mine');
  });

  it('leaves nothing if a file cannot be written', async () => {
    const twice = [...FILES, ...FILES];
    await assert.rejects(() => writeFolder(join(parent, 'weather'), twice), { code: 'EEXIST' });
    assert.deepEqual(readdirSync(parent), []);
  });

  it('throws if there is no parent', async () => {
    const nowhere = join(parent, 'none', 'weather');
    await assert.rejects(() => writeFolder(nowhere, FILES), { code: 'ENOENT' });
  });
});
