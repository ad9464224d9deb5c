import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ArchiveRejectedError, unpackArchive } from '../../../src/archives/unpackArchive';
import { type RawEntry, rawArchive, TestFolder } from '../../support/archives';

const LIMITS = { entries: 100, bytes: 1024 * 1024 };

describe('unpacking an untrusted archive', () => {
  let folder: TestFolder;
  let target: string;

  beforeEach(() => {
    folder = new TestFolder();
    target = join(folder.path, 'target');
    mkdirSync(target);
  });

  afterEach(() => folder[Symbol.dispose]());

  const unpack = (
    archive: Uint8Array | readonly RawEntry[],
    signal = AbortSignal.timeout(120_000),
  ): Promise<void> => {
    const bytes = archive instanceof Uint8Array ? archive : rawArchive(archive);
    const file = folder.file('archive.tar.gz', bytes);
    return unpackArchive(file, target, { limits: LIMITS, signal });
  };
  const isRejection = (pattern: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ArchiveRejectedError, String(error));
    assert.match(error.message, pattern);
    return true;
  };

  it('writes files and folders with only the executable permission', async () => {
    await unpack([
      { path: 'pkg/', type: 'Directory', mode: 0o000 },
      { path: 'pkg/model/training.py', content: 'print(1)', mode: 0o4777, uid: 1, gid: 1 },
      { path: 'pkg/readme', content: 'read', mode: 0o000 },
    ]);
    assert.deepEqual(readdirSync(join(target, 'pkg')).sort(), ['model', 'readme']);
    assert.equal(readFileSync(join(target, 'pkg/model/training.py'), 'utf8'), 'print(1)');
    if (process.platform === 'win32') return;
    assert.equal(statSync(join(target, 'pkg/model/training.py')).mode & 0o7777, 0o755);
    assert.equal(statSync(join(target, 'pkg/readme')).mode & 0o777, 0o644);
  });

  const hostile: readonly (readonly [string, RawEntry, RegExp])[] = [
    [
      'a path above the root',
      { path: '../out', content: 'x' },
      /"\.\.\/out" is outside the archive/,
    ],
    [
      'a path above the root in its middle',
      { path: 'a/../../out', content: 'x' },
      /is outside the archive/,
    ],
    ['an absolute path', { path: '/tmp/fleetwright-out', content: 'x' }, /is outside the archive/],
    ['a Windows path above the root', { path: '..\\out', content: 'x' }, /is outside the archive/],
    ['a path on a drive', { path: 'C:\\out', content: 'x' }, /is outside the archive/],
    ['a symbolic link', { path: 'a', type: 'SymbolicLink', linkpath: '/etc' }, /"a" is a link/],
    ['a hard link', { path: 'a', type: 'Link', linkpath: 'b' }, /is a link/],
    ['a pipe', { path: 'a', type: 'FIFO' }, /neither a file nor a folder/],
    ['a device', { path: 'a', type: 'CharacterDevice' }, /neither a file nor a folder/],
  ];
  for (const [name, entry, pattern] of hostile) {
    it(`rejects ${name}, and writes nothing of it or after it`, async () => {
      await assert.rejects(unpack([entry, { path: 'after', content: 'x' }]), isRejection(pattern));
      assert.deepEqual(readdirSync(target), []);
      assert.deepEqual(readdirSync(folder.path).sort(), ['archive.tar.gz', 'target']);
    });
  }

  it('rejects what exceeds the size limit before it is on disk', async () => {
    const content = Buffer.alloc(3 * 1024 * 1024);
    await assert.rejects(unpack([{ path: 'zeros', content }]), isRejection(/larger than 1 MiB/));
    const written = readdirSync(target).map((name) => statSync(join(target, name)).size);
    assert.ok(written.every((size) => size <= LIMITS.bytes));
  });

  it('rejects content that is packed twice, whose size is unknown', async () => {
    const inner = rawArchive([{ path: 'zeros', content: Buffer.alloc(3 * 1024 * 1024) }]);
    await assert.rejects(unpack(gzipSync(inner)), isRejection(/Not a valid/));
    assert.deepEqual(readdirSync(target), []);
  });

  it('rejects more entries than the limit', async () => {
    const entries = Array.from({ length: 101 }, (_, index) => ({ path: String(index) }));
    await assert.rejects(unpack(entries), isRejection(/more than 100 entries/));
  });

  it('rejects a file that is not an archive, and a truncated one', async () => {
    await assert.rejects(unpack(Buffer.from('no archive')), isRejection(/Not a valid/));
    await assert.rejects(unpack(gzipSync('no tar archive')), isRejection(/Not a valid/));
    await assert.rejects(unpack(gzipSync(Buffer.alloc(0))), isRejection(/Not a valid/));
    const whole = rawArchive([{ path: 'a', content: Buffer.alloc(9000, 'ab') }]);
    await assert.rejects(unpack(whole.subarray(0, whole.length - 20)), isRejection(/Not a valid/));
  });

  it('rejects a file in place of a folder', async () => {
    await assert.rejects(
      unpack([
        { path: 'a', content: 'x' },
        { path: 'a/b', content: 'x' },
      ]),
      isRejection(/a file where a folder is expected/),
    );
  });

  it('does not write through a link in its folder', async () => {
    if (process.platform === 'win32') return;
    const outside = join(folder.path, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(target, 'a'));
    await unpack([{ path: 'a/b', content: 'x' }]).catch(() => undefined);
    assert.deepEqual(readdirSync(outside), []);
  });

  it('stops when the signal aborts', async () => {
    const reason = new Error('enough');
    await assert.rejects(unpack([{ path: 'a' }], AbortSignal.abort(reason)), (error) => {
      return error === reason || (error as Error).name === 'AbortError';
    });
  });
});
