import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gunzipSync } from 'node:zlib';
import { Parser } from 'tar';
import { FileChangedError } from '../../../src/archives/readDiskChunks';
import { BuildReplacedError, gzipBytes, packBuild } from '../../../src/archives/packBuild';
import { inspectBuild } from '../../../src/archives/inspectBuild';
import { TestFolder } from '../../support/archives';

const { signal } = new AbortController();

interface Unpacked {
  readonly path: string;
  readonly mode: number | undefined;
  readonly content: string;
  readonly target: string | undefined;
  readonly owner: readonly unknown[];
}

async function readAllBytes(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Returns the contents of an archive as another program reads them. */
function unpack(archive: Buffer): readonly Unpacked[] {
  const found: Unpacked[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on('data', (chunk: Buffer) => chunks.push(chunk));
      entry.on('end', () => {
        found.push({
          path: entry.path,
          mode: entry.mode,
          content: Buffer.concat(chunks).toString(),
          target: entry.linkpath,
          owner: [entry.uid, entry.gid, entry.uname, entry.gname],
        });
      });
    },
  });
  parser.write(gunzipSync(archive));
  parser.end();
  return found;
}

/** Replaces the contents of a file, and conceals it with the same size and modification time. */
function replaceUnnoticed(path: string): void {
  const { atime, mtime, size } = statSync(path);
  const before = statSync(path).ctimeMs;
  while (statSync(path).ctimeMs === before) {
    writeFileSync(path, 'x'.repeat(size));
    utimesSync(path, atime, mtime);
  }
}

describe('packBuild', () => {
  let folder: TestFolder;

  beforeEach(() => {
    folder = new TestFolder();
  });
  afterEach(() => folder[Symbol.dispose]());

  const pack = (): Promise<Buffer> => readAllBytes(packBuild(folder.path, { signal }));

  it('preserves files, folders, links, and executable bits, and omits owners', async () => {
    folder.program('bin/main', 'run');
    folder.file('a.txt', 'text');
    folder.file('empty', '');
    folder.link('current', 'bin/main');
    const entries = unpack(await pack());
    assert.deepEqual(
      entries.map(({ path, mode, content, target }) => [path, mode, content, target || undefined]),
      [
        ['a.txt', 0o644, 'text', undefined],
        ['bin/', 0o755, '', undefined],
        ['current', 0o755, '', 'bin/main'],
        ['empty', 0o644, '', undefined],
        ['bin/main', 0o755, 'run', undefined],
      ],
    );
    for (const { owner } of entries) assert.deepEqual(owner, [0, 0, '', '']);
  });

  it('preserves long names in any script', async () => {
    const long = `${'folder/'.repeat(30)}${'name'.repeat(40)}`;
    folder.file(long, 'deep');
    folder.file('größe 大きさ.txt', 'wide');
    const files = unpack(await pack()).filter(({ content }) => content !== '');
    assert.deepEqual(files.map(({ path }) => path).sort(), [long, 'größe 大きさ.txt'].sort());
  });

  it('returns the same bytes for the same folder', async () => {
    folder.file('b', 'x'.repeat(3_000_000));
    folder.file('a');
    assert.ok((await pack()).equals(await pack()));
  });

  it('excludes version control, and what its ignore file names', async () => {
    for (const path of ['.git/config', 'keep/.gitignore', 'build/x.o', 'src/x.o', 'notes/a.md']) {
      folder.file(path);
    }
    folder.file('.fleetwrightignore', '# not for machines\n*.o\n!src/x.o\n/notes/\n');
    const paths = unpack(await pack()).map(({ path }) => path);
    assert.deepEqual(paths, ['build/', 'keep/', 'src/', 'keep/.gitignore', 'src/x.o']);
    const { entries } = await inspectBuild(folder.path, {}, { signal });
    assert.equal(entries, paths.length);
  });

  it('returns an archive unchanged, also through a link', async () => {
    const content = Buffer.from('any bytes');
    folder.file('v1.tar.gz', content);
    folder.link('newest.tar.gz', 'v1.tar.gz');
    const bytes = await readAllBytes(packBuild(`${folder.path}/newest.tar.gz`, { signal }));
    assert.deepEqual(bytes, content);
  });

  it('reports the bytes of files as they are read', async () => {
    folder.file('small', 'x'.repeat(1_000));
    folder.file('large', 'x'.repeat(1_000_000));
    let read = 0;
    const onRead = (bytes: number): void => {
      read += bytes;
    };
    await readAllBytes(packBuild(folder.path, { signal, onRead }));
    assert.equal(read, 1_001_000);
  });

  it('fails if a file changes in the meantime', async () => {
    const large = folder.file('large', 'x'.repeat(4_000_000));
    let isChanged = false;
    const onRead = (): void => {
      if (!isChanged) appendFileSync(large, 'more');
      isChanged = true;
    };
    await assert.rejects(
      readAllBytes(packBuild(folder.path, { signal, onRead })),
      FileChangedError,
    );
  });

  it('packs only a folder that matches the inspected one', async () => {
    const main = folder.program('bin/main', 'run');
    // Times with fractions can't be restored exactly.
    utimesSync(main, new Date(0), new Date(0));
    const { fingerprint } = await inspectBuild(folder.path, {}, { signal });
    const same = await readAllBytes(packBuild(folder.path, { signal, fingerprint }));
    assert.deepEqual(same, await pack());
    for (const change of [
      () => folder.file('bin/more'),
      () => rmSync(join(folder.path, 'bin/more')),
      () => chmodSync(main, 0o644),
      () => replaceUnnoticed(main),
    ]) {
      const before = await inspectBuild(folder.path, {}, { signal });
      change();
      const packing = readAllBytes(
        packBuild(folder.path, { signal, fingerprint: before.fingerprint }),
      );
      await assert.rejects(packing, BuildReplacedError);
    }
  });

  it('packs a folder with new ignored files', async () => {
    folder.file('.fleetwrightignore', '*.log\n');
    folder.program('bin/main', 'run');
    const { fingerprint } = await inspectBuild(folder.path, {}, { signal });
    folder.file('bin/run.log');
    utimesSync(join(folder.path, 'bin'), new Date(0), new Date(0));
    const packed = await readAllBytes(packBuild(folder.path, { signal, fingerprint }));
    assert.deepEqual(
      unpack(packed).map(({ path }) => path),
      ['bin/', 'bin/main'],
    );
  });

  it('returns only an archive that matches the inspected one', async () => {
    const archive = folder.file('a.tar.gz', await pack());
    utimesSync(archive, new Date(0), new Date(0));
    const { fingerprint } = await inspectBuild(archive, {}, { signal });
    await readAllBytes(packBuild(archive, { signal, fingerprint }));
    replaceUnnoticed(archive);
    await assert.rejects(
      readAllBytes(packBuild(archive, { signal, fingerprint })),
      BuildReplacedError,
    );
  });

  it('stops when it is canceled', async () => {
    folder.file('large', 'x'.repeat(10_000_000));
    const stop = new AbortController();
    await assert.rejects(
      async () => {
        for await (const bytes of packBuild(folder.path, { signal: stop.signal })) {
          stop.abort();
          assert.ok(bytes);
        }
      },
      { name: 'AbortError' },
    );
  });
});

describe('compression in blocks', () => {
  const random = (length: number): Buffer => {
    let state = 1;
    return Buffer.from(
      Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) >> 16),
    );
  };
  async function* splitBytes(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += size) {
      yield await Promise.resolve(bytes.subarray(start, start + size));
    }
  }
  const MEBIBYTE = 1024 * 1024;

  for (const length of [0, 1, MEBIBYTE - 1, MEBIBYTE, 3 * MEBIBYTE + 5]) {
    it(`turns ${length} bytes into one gzip member that all tools can read`, async () => {
      const bytes = Buffer.concat([
        random(Math.floor(length / 2)),
        Buffer.alloc(length - Math.floor(length / 2), 'ab'),
      ]);
      const packed = await readAllBytes(gzipBytes(splitBytes(bytes, 100_000)));
      assert.ok(gunzipSync(packed).equals(bytes));
      assert.equal(packed.readUInt32LE(packed.length - 8), crc32(bytes));
      assert.equal(packed.readUInt32LE(packed.length - 4), length);
    });
  }

  it('returns the same bytes for chunks of any size', async () => {
    const bytes = random(2_500_000);
    const one = await readAllBytes(gzipBytes(splitBytes(bytes, 7_777)));
    const other = await readAllBytes(gzipBytes(splitBytes(bytes, 2_500_000)));
    assert.ok(one.equals(other));
  });

  it('passes on errors of the source', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.alloc(2 * MEBIBYTE));
      throw new Error('the disk failed');
    }
    await assert.rejects(readAllBytes(gzipBytes(broken())), /the disk failed/);
  });
});
