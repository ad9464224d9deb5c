import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { mock } from 'node:test';
import { DamagedBlobError } from '../../../../src/service/blobs/blobChecks';
import { openFileBlobStore } from '../../../../src/service/blobs/fileBlobStore';
import type { BlobKey, BlobStore, ByteRange } from '../../../../src/service/blobs/blobStore';
import { waitUntil } from '../../../support/waitUntil';

async function* toChunks(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
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
    mock.restoreAll();
    await blobs.close();
    await rm(directory, { recursive: true, force: true });
  });

  const filesIn = async (): Promise<number> => {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };
  const store = async (bytes: Uint8Array, chunkSize = 1000): Promise<BlobKey> => {
    await using incoming = await blobs.receive(toChunks(bytes, chunkSize));
    await incoming.commit();
    return { hash: incoming.hash, size: incoming.size };
  };

  it('are named by the SHA-256 of their bytes, regardless of the chunks', async () => {
    const bytes = randomBytes(10_000);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const blob = { hash, size: bytes.length };
    assert.deepEqual(await store(bytes, 7), blob);
    assert.deepEqual(await store(bytes, 10_000), blob);
    assert.equal(await filesIn(), 1, 'the same bytes are kept once');
    assert.deepEqual(Buffer.from((await blobs.read(blob)) ?? []), bytes);
  });

  it('are not stored if the disk fails while their first bytes are flushed', async () => {
    const mebibyte = randomBytes(1024 * 1024);
    const flushError = Object.assign(new Error('i/o error'), { code: 'EIO' });
    async function* large() {
      for (let sent = 0; sent < 100; sent += 1) yield await Promise.resolve(mebibyte);
    }
    await using probe = await open(join(directory, 'probe'), 'w');
    const handles = Object.getPrototypeOf(probe) as FileHandle;
    const flushes = mock.method(handles, 'datasync', () => Promise.reject(flushError));
    await assert.rejects(blobs.receive(large()), flushError);
    flushes.mock.restore();
    const later = mock.method(handles, 'datasync');
    assert.deepEqual(await readdir(join(directory, 'incoming')), []);
    await using incoming = await blobs.receive(large());
    await incoming.commit();
    assert.equal(later.mock.callCount(), 1);
    const sent = createHash('sha256');
    for await (const chunk of large()) sent.update(chunk);
    assert.equal(incoming.hash, sent.digest('hex'));
  });

  it('are written while they arrive, even in small chunks', async () => {
    const chunkCount = 3000;
    const [byte, nothing] = [Uint8Array.of(1), new Uint8Array()];
    const written = async (): Promise<number> => {
      const [name = ''] = await readdir(join(directory, 'incoming'));
      return (await stat(join(directory, 'incoming', name))).size;
    };
    async function* small() {
      for (let sent = 0; sent < chunkCount; sent += 1) {
        yield byte;
        yield nothing;
      }
      await waitUntil(async () => (await written()) > 0);
    }
    await using incoming = await blobs.receive(small());
    assert.equal(incoming.size, chunkCount);
  });

  it('can be empty', async () => {
    const blob = await store(new Uint8Array());
    assert.equal((await blobs.read(blob))?.length, 0);
  });

  it('are read in ranges with inclusive ends', async () => {
    const blob = await store(Buffer.from('0123456789'));
    const opened = async (range?: { start: number; end: number }): Promise<string> => {
      const stream = await blobs.open(blob, range);
      assert.ok(stream);
      return (await buffer(stream)).toString();
    };
    assert.equal(await opened(), '0123456789');
    assert.equal(await opened({ start: 2, end: 4 }), '234');
    assert.equal(await opened({ start: 9, end: 9 }), '9');
  });

  it('leave nothing if they are discarded or their stream fails', async () => {
    {
      await using incoming = await blobs.receive(toChunks(randomBytes(100), 10));
      assert.equal(incoming.size, 100);
    }
    async function* broken(): AsyncIterable<Uint8Array> {
      yield await Promise.resolve(randomBytes(10));
      throw new Error('cut');
    }
    await assert.rejects(blobs.receive(broken()), /cut/);
    assert.equal(await filesIn(), 0);
  });

  it('are not found after they are removed, and can be removed repeatedly', async () => {
    const blob = await store(randomBytes(10));
    await blobs.remove(blob.hash);
    await blobs.remove(blob.hash);
    assert.equal(await blobs.read(blob), undefined);
    assert.equal(await blobs.open(blob), undefined);
    assert.equal(await filesIn(), 0);
  });

  it('survive a restart, which deletes the leftovers of a crash', async () => {
    const bytes = randomBytes(10);
    const blob = await store(bytes);
    await writeFile(join(directory, 'incoming', 'half'), 'half of a file');
    blobs = await openFileBlobStore(directory);
    assert.equal(await filesIn(), 1);
    assert.deepEqual(Buffer.from((await blobs.read(blob)) ?? []), bytes);
  });

  const toPath = ({ hash }: BlobKey): string => join(directory, hash.slice(0, 2), hash.slice(2));
  /**
   * Changes a file without the store noticing, because file timestamps can be too coarse to detect
   * the change.
   */
  const overwrite = async (blob: BlobKey, bytes: Uint8Array): Promise<void> => {
    await writeFile(toPath(blob), bytes);
    await utimes(toPath(blob), 1, 1);
  };
  const readStream = async (blob: BlobKey, range?: ByteRange): Promise<Buffer> => {
    const stream = await blobs.open(blob, range);
    assert.ok(stream);
    return buffer(stream);
  };
  const damaged = (problem: RegExp) => (error: unknown) => {
    assert.ok(error instanceof DamagedBlobError);
    assert.match(error.problem, problem);
    return true;
  };

  it('are rejected when their bytes were overwritten, whole and in ranges', async () => {
    const bytes = randomBytes(3 * 1024 * 1024);
    const blob = await store(bytes);
    assert.deepEqual(await readStream(blob, { start: 5, end: 9 }), bytes.subarray(5, 10));
    bytes.writeUInt8(bytes.readUInt8(7) ^ 1, 7);
    await overwrite(blob, bytes);
    const range = { start: 100, end: 199 };
    await assert.rejects(readStream(blob, range), damaged(/^its bytes were changed$/));
    await assert.rejects(readStream(blob), damaged(/changed/));
    await assert.rejects(blobs.read(blob), damaged(/changed/));
  });

  it('never send their last bytes when others were overwritten', async () => {
    const bytes = randomBytes(3 * 1024 * 1024);
    const blob = await store(bytes);
    await overwrite(blob, Buffer.concat([Buffer.of(0, 0), bytes.subarray(2)]));
    const stream = await blobs.open(blob);
    let received = 0;
    await assert.rejects(
      async () => {
        for await (const chunk of stream ?? []) received += (chunk as Uint8Array).length;
      },
      damaged(/changed/),
    );
    assert.ok(received < bytes.length, String(received));
    await assert.rejects(
      blobs.open(blob),
      damaged(/changed/),
      'a second reader gets the error immediately',
    );
  });

  it('are rejected when they were truncated', async () => {
    for (const size of [10, 2 * 1024 * 1024]) {
      const bytes = randomBytes(size);
      const blob = await store(bytes);
      await overwrite(blob, bytes.subarray(0, 4));
      const problem = new RegExp(`^it has 4 bytes instead of ${String(size)}$`);
      await assert.rejects(blobs.open(blob), damaged(problem));
      await assert.rejects(blobs.open(blob, { start: 0, end: 1 }), damaged(problem));
      await assert.rejects(blobs.read(blob), damaged(problem));
    }
  });

  it('are repaired by storing the same bytes again', async () => {
    const bytes = randomBytes(10);
    const blob = await store(bytes);
    await overwrite(blob, randomBytes(10));
    await assert.rejects(readStream(blob), damaged(/changed/));
    await store(bytes);
    assert.deepEqual(await readStream(blob), bytes);
  });

  it('are deleted with their process when they have no directory', async () => {
    const temporary = await openFileBlobStore(undefined);
    const incoming = await temporary.receive(toChunks(randomBytes(10), 10));
    await incoming.commit();
    await temporary.close();
    assert.equal(await temporary.read(incoming), undefined);
  });
});
