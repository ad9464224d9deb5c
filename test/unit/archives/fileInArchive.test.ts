import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { fileInArchive, filesInArchive } from '../../../src/archives/fileInArchive';
import { type RawEntry, rawArchive } from '../../support/archives';

const limits = { maxUnpackedBytes: 1024 * 1024, maxBytes: 1024 };

async function* toChunks(bytes: Uint8Array, size = 100): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
  }
}

async function read(archive: Uint8Array | readonly RawEntry[]): Promise<string | undefined> {
  const bytes = archive instanceof Uint8Array ? archive : rawArchive(archive);
  const signal = AbortSignal.timeout(120_000);
  const isMetricsFile = (path: string): boolean => path === 'metrics.json';
  const found = await fileInArchive(toChunks(bytes), isMetricsFile, { ...limits, signal });
  return found && Buffer.from(found).toString();
}

describe('a file in an archive', () => {
  it('is read at any position', async () => {
    const metrics = { path: 'metrics.json', content: '{"a":1}' };
    const model = { path: 'model.bin', content: 'x'.repeat(5_000) };
    assert.equal(await read([metrics, model]), '{"a":1}');
    assert.equal(await read([model, metrics]), '{"a":1}');
  });

  it('is undefined if it does not exist, or is a link', async () => {
    assert.equal(await read([{ path: 'other', content: 'x' }]), undefined);
    const link: RawEntry = { path: 'metrics.json', type: 'SymbolicLink', linkpath: '/etc/passwd' };
    assert.equal(await read([link]), undefined);
  });

  it('is undefined if it is too large, or after more bytes than are unpacked', async () => {
    assert.equal(await read([{ path: 'metrics.json', content: 'x'.repeat(2_000) }]), undefined);
    const bomb = { path: 'zeros', content: Buffer.alloc(4 * 1024 * 1024) };
    assert.equal(await read([bomb, { path: 'metrics.json', content: '{}' }]), undefined);
  });

  it('is undefined in a file that is not an archive, is truncated, or is packed twice', async () => {
    const whole = rawArchive([{ path: 'model', content: 'x' }]);
    assert.equal(await read(new TextEncoder().encode('no archive')), undefined);
    assert.equal(await read(whole.subarray(0, 40)), undefined);
    const inner = rawArchive([{ path: 'metrics.json', content: '{}' }]);
    assert.equal(await read(gzipSync(inner)), undefined);
  });
});

describe('filesInArchive', () => {
  it('reads the named files, and stops after the last one or if one is too large', async () => {
    const toName = (path: string): string | undefined => /^(a|b)$/.exec(path)?.[0];
    const readAll = async (...entries: readonly RawEntry[]): Promise<object> => {
      const signal = AbortSignal.timeout(120_000);
      const content = toChunks(rawArchive(entries));
      const files = await filesInArchive(content, toName, 2, { ...limits, signal });
      return Object.fromEntries(
        [...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
      );
    };
    const [a, b] = [
      { path: 'a', content: '1' },
      { path: 'b', content: '2' },
    ];
    const other = { path: 'other', content: 'x'.repeat(5_000) };
    assert.deepEqual(await readAll(other, b, other, a), { a: '1', b: '2' });
    assert.deepEqual(await readAll(a, other), { a: '1' });
    assert.deepEqual(await readAll(a, { path: 'b', content: 'x'.repeat(2_000) }), { a: '1' });
  });
});
