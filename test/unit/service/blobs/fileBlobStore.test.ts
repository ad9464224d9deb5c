import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { openFileBlobStore } from '../../../../src/service/blobs/fileBlobStore';
import type { BlobStore } from '../../../../src/service/blobs/blobStore';

async function* inPieces(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
  }
}

describe('blobs in files', () => {
  let directory: string;
  let blobs: BlobStore;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    blobs = await openFileBlobStore(directory);
  });
  afterEach(async () => {
    await blobs.close();
    await rm(directory, { recursive: true, force: true });
  });

  const filesIn = async (): Promise<number> => {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };
  const keep = async (bytes: Uint8Array, pieces = 1000): Promise<string> => {
    await using incoming = await blobs.receive(inPieces(bytes, pieces));
    await incoming.keep();
    return incoming.hash;
  };

  it('are named by the SHA-256 of their bytes, whatever pieces they come in', async () => {
    const bytes = randomBytes(10_000);
    const hash = createHash('sha256').update(bytes).digest('hex');
    assert.equal(await keep(bytes, 7), hash);
    assert.equal(await keep(bytes, 10_000), hash);
    assert.equal(await filesIn(), 1, 'the same bytes are kept once');
    assert.deepEqual(Buffer.from((await blobs.read(hash)) ?? []), bytes);
  });

  it('are written while they arrive, however small their pieces are', async () => {
    const pieces = 3000;
    const [byte, nothing] = [Uint8Array.of(1), new Uint8Array()];
    const written = async (): Promise<number> => {
      const [name = ''] = await readdir(join(directory, 'incoming'));
      return (await stat(join(directory, 'incoming', name))).size;
    };
    async function* small() {
      for (let sent = 0; sent < pieces; sent += 1) {
        yield byte;
        yield nothing;
      }
      while ((await written()) === 0) await setImmediate();
    }
    await using incoming = await blobs.receive(small());
    assert.equal(incoming.size, pieces);
  });

  it('may be empty', async () => {
    const hash = await keep(new Uint8Array());
    assert.equal((await blobs.read(hash))?.length, 0);
  });

  it('are read in ranges, whose ends are included', async () => {
    const hash = await keep(Buffer.from('0123456789'));
    const opened = async (range?: { start: number; end: number }): Promise<string> => {
      const stream = await blobs.open(hash, range);
      assert.ok(stream);
      return (await buffer(stream)).toString();
    };
    assert.equal(await opened(), '0123456789');
    assert.equal(await opened({ start: 2, end: 4 }), '234');
    assert.equal(await opened({ start: 9, end: 9 }), '9');
  });

  it('leave nothing when nobody keeps them, or their stream breaks off', async () => {
    {
      await using incoming = await blobs.receive(inPieces(randomBytes(100), 10));
      assert.equal(incoming.size, 100);
    }
    async function* broken(): AsyncIterable<Uint8Array> {
      yield await Promise.resolve(randomBytes(10));
      throw new Error('cut');
    }
    await assert.rejects(blobs.receive(broken()), /cut/);
    assert.equal(await filesIn(), 0);
  });

  it('are gone once removed, also for a second time', async () => {
    const hash = await keep(randomBytes(10));
    await blobs.remove(hash);
    await blobs.remove(hash);
    assert.equal(await blobs.read(hash), undefined);
    assert.equal(await blobs.open(hash), undefined);
    assert.equal(await filesIn(), 0);
  });

  it('survive a restart, which sweeps what a crash left unfinished', async () => {
    const bytes = randomBytes(10);
    const hash = await keep(bytes);
    await writeFile(join(directory, 'incoming', 'half'), 'half of a file');
    blobs = await openFileBlobStore(directory);
    assert.equal(await filesIn(), 1);
    assert.deepEqual(Buffer.from((await blobs.read(hash)) ?? []), bytes);
  });

  it('end with their process when they have no directory', async () => {
    const temporary = await openFileBlobStore(undefined);
    const incoming = await temporary.receive(inPieces(randomBytes(10), 10));
    await incoming.keep();
    await temporary.close();
    assert.equal(await temporary.read(incoming.hash), undefined);
  });
});
