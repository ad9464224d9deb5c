import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskBytes, FileChangedError, readDiskChunks } from '../../../src/archives/readDiskChunks';

const { signal } = new AbortController();

describe('readDiskChunks', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-pieces-'));
    path = join(folder, 'a.bin');
    writeFileSync(path, Buffer.alloc(600_000, 'fleet'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the file's size and modification time as VS Code reports them. */
  function found(): { size: number; mtime: number } {
    const { size, mtime } = statSync(path);
    return { size, mtime: mtime.getTime() };
  }

  async function read(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  }

  for (const fraction of [0, 0.0004, 0.0005, 0.0009]) {
    it(`reads the whole file at any fraction of its time (${fraction} s)`, async () => {
      utimesSync(path, 1_767_312_000 + fraction, 1_767_312_000 + fraction);
      const bytes = await read(readDiskChunks(path, found(), signal));
      assert.deepEqual(bytes, Buffer.alloc(600_000, 'fleet'));
    });
  }

  it('reads large files in chunks, and does not change a chunk before the next request', async () => {
    const content = Buffer.from(
      Array.from({ length: 3_500_000 }, (_, index) => (index >> 10) % 251),
    );
    writeFileSync(path, content);
    let total = 0;
    for await (const chunk of readDiskChunks(path, found(), signal)) {
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(content.subarray(total, total + chunk.length).equals(chunk));
      total += chunk.length;
    }
    assert.equal(total, content.length);
  });

  it('detects a change before it was read', async () => {
    const before = found();
    appendFileSync(path, 'x');
    await assert.rejects(read(readDiskChunks(path, before, signal)), FileChangedError);
    const touched = { ...found(), mtime: found().mtime - 5_000 };
    await assert.rejects(read(readDiskChunks(path, touched, signal)), FileChangedError);
  });

  it('detects a change while it is read', async () => {
    const content = readDiskChunks(path, found(), signal);
    await content.next();
    appendFileSync(path, 'x');
    await assert.rejects(read(content), FileChangedError);
  });

  it('does not follow a link that replaced the file', async () => {
    const before = found();
    const secret = join(folder, 'secret');
    writeFileSync(secret, Buffer.alloc(before.size));
    rmSync(path);
    symlinkSync(secret, path);
    await assert.rejects(read(readDiskChunks(path, before, signal)), { code: 'ELOOP' });
  });

  it('applies the same checks to a small file', async () => {
    const before = found();
    assert.deepEqual(await diskBytes(path, before), Buffer.alloc(600_000, 'fleet'));
    writeFileSync(path, Buffer.alloc(600_000, 'fleeT'));
    utimesSync(path, new Date(), new Date(before.mtime + 5_000));
    await assert.rejects(diskBytes(path, before), FileChangedError);
    appendFileSync(path, 'x');
    await assert.rejects(diskBytes(path, before), FileChangedError);
    const secret = join(folder, 'secret');
    writeFileSync(secret, Buffer.alloc(before.size));
    rmSync(path);
    symlinkSync(secret, path);
    await assert.rejects(diskBytes(path, before), { code: 'ELOOP' });
  });

  it('does not block on a pipe that replaced the file', async () => {
    const before = found();
    rmSync(path);
    execFileSync('mkfifo', [path]);
    await assert.rejects(diskBytes(path, before), FileChangedError);
    await assert.rejects(read(readDiskChunks(path, before, signal)), FileChangedError);
  });

  it('reports a deleted file, and stops when it is canceled', async () => {
    const before = found();
    const controller = new AbortController();
    const content = readDiskChunks(path, before, controller.signal);
    await content.next();
    controller.abort();
    await assert.rejects(read(content), { name: 'AbortError' });
    rmSync(path);
    await assert.rejects(read(readDiskChunks(path, before, signal)), { code: 'ENOENT' });
  });
});
