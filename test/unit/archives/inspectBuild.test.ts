import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { inspectBuild } from '../../../src/archives/inspectBuild';
import type { BuildFacts, NamedFiles } from '../../../src/core/modules/buildFacts';
import {
  createArchiveOfEmptyFiles,
  elfProgram,
  extended,
  rawArchive,
  type RawEntry,
  TestFolder,
} from '../../support/archives';

const ARM64 = 183;
const { signal } = new AbortController();

describe('inspectBuild', () => {
  let folder: TestFolder;

  beforeEach(() => {
    folder = new TestFolder();
  });
  afterEach(() => folder[Symbol.dispose]());

  const ofFolder = (named: NamedFiles = {}): Promise<BuildFacts> =>
    inspectBuild(folder.path, named, { signal });
  const ofArchive = (bytes: Uint8Array, named: NamedFiles = {}): Promise<BuildFacts> =>
    inspectBuild(folder.file('module.tar.gz', bytes), named, { signal });
  const ofEntries = async (...entries: RawEntry[]): Promise<readonly string[]> => {
    const { problems } = await ofArchive(rawArchive(entries));
    return problems.map(({ code, path }) => `${code} ${path}`);
  };

  it('counts the contents of a folder, and detects the platform of its entrypoint', async () => {
    folder.program('dist/main', elfProgram(ARM64));
    folder.file('README.md', 'twelve bytes');
    const facts = await ofFolder({ entrypoint: './dist/main' });
    assert.equal(facts.form, 'folder');
    assert.equal(facts.entries, 3);
    assert.equal(facts.bytes, 64 + 12);
    assert.equal(facts.archiveBytes, undefined);
    assert.deepEqual(facts.problems, []);
    assert.equal(facts.entrypoint?.state, 'ok');
    assert.equal(facts.entrypoint.platform, 'linux/arm64');
  });

  it('reports the same for an archive, without unpacking it', async () => {
    const program = { path: './dist/main', mode: 0o755, content: elfProgram(ARM64) };
    const bytes = rawArchive([{ path: './', type: 'Directory' }, program]);
    const facts = await ofArchive(bytes, { entrypoint: 'dist/main' });
    assert.equal(facts.form, 'archive');
    assert.equal(facts.entries, 1);
    assert.equal(facts.archiveBytes, bytes.length);
    assert.deepEqual(facts.problems, []);
    assert.equal(facts.entrypoint?.state, 'ok');
    assert.equal(facts.entrypoint.platform, 'linux/arm64');
  });

  describe('the entrypoint', () => {
    const readState = async (entrypoint: string): Promise<string | undefined> =>
      (await ofFolder({ entrypoint })).entrypoint?.state;

    it('is an executable file, also through a link in the build', async () => {
      folder.program('bin/real');
      folder.link('main', 'bin/real');
      assert.equal(await readState('main'), 'ok');
    });

    it('is reported if it is missing, a folder, not executable, or a link that leads outside or nowhere', async () => {
      folder.file('bin/plain');
      folder.link('away', '/bin/sh');
      folder.link('above', '../sh');
      folder.link('loop', 'loop');
      assert.equal(await readState('bin/main'), 'missing');
      assert.equal(await readState('bin'), 'directory');
      assert.equal(await readState('bin/plain'), 'notExecutable');
      assert.equal(await readState('away'), 'outside');
      assert.equal(await readState('above'), 'outside');
      assert.equal(await readState('/bin/sh'), 'outside');
      assert.equal(await readState('../sh'), 'outside');
      assert.equal(await readState('loop'), 'notFile');
    });

    it('can be a path with shell metacharacters', async () => {
      folder.program('$(touch x); `y` && "z" main');
      assert.equal(await readState('$(touch x); `y` && "z" main'), 'ok');
      assert.equal(await readState('main; rm -rf /'), 'missing');
    });

    it('includes suggestions, namesakes first', async () => {
      folder.program('tools/other');
      folder.program('dist/main.sh');
      folder.file('notes.txt');
      const { entrypoint } = await ofFolder({ entrypoint: 'bin/main' });
      assert.deepEqual(entrypoint?.candidates, ['dist/main.sh', 'tools/other']);
    });
  });

  describe('content that machines could not unpack', () => {
    it('includes absolute paths and paths that lead above the root', async () => {
      assert.deepEqual(await ofEntries({ path: '/etc/passwd' }), ['absolutePath /etc/passwd']);
      assert.deepEqual(await ofEntries({ path: 'C:\\x' }), ['absolutePath C:\\x']);
      assert.deepEqual(await ofEntries({ path: '../x' }), ['parentPath ../x']);
      assert.deepEqual(await ofEntries({ path: 'a/../../x' }), ['parentPath a/../../x']);
    });

    it('includes links out of the build, and links that lead to one another', async () => {
      folder.link('a/outside', '../../x');
      folder.link('a/inside', '../b');
      folder.link('one', 'other');
      folder.link('other', 'one');
      folder.file('b');
      const { problems } = await ofFolder();
      assert.deepEqual(
        problems.map(({ code, path, target }) => [code, path, target]),
        [
          ['linkLoop', 'one', 'other'],
          ['linkLoop', 'other', 'one'],
          ['linkOutside', 'a/outside', '../../x'],
        ],
      );
    });

    it('includes links that leave the build through another link', async () => {
      const problems = await ofEntries(
        { path: 'deep/er', type: 'SymbolicLink', linkpath: '..' },
        { path: 'x', type: 'SymbolicLink', linkpath: 'deep/er/../secret' },
      );
      assert.deepEqual(problems, ['linkOutside x']);
    });

    it('includes hard links out of the build', async () => {
      const path = 'x';
      assert.deepEqual(await ofEntries({ path, type: 'Link', linkpath: '/etc/shadow' }), [
        'linkOutside x',
      ]);
      assert.deepEqual(await ofEntries({ path, type: 'Link', linkpath: '../y' }), [
        'linkOutside x',
      ]);
    });

    it('includes names with line breaks', async () => {
      folder.file('two\nlines');
      const { problems } = await ofFolder();
      assert.deepEqual(problems, [
        { code: 'controlCharacters', path: 'two\nlines', target: undefined },
      ]);
      assert.deepEqual(await ofEntries({ path: 'two\r\nlines' }), [
        'controlCharacters two\r\nlines',
      ]);
    });

    it('includes devices and pipes', async () => {
      assert.deepEqual(await ofEntries({ path: 'dev', type: 'CharacterDevice' }), [
        'specialFile dev',
      ]);
      assert.deepEqual(await ofEntries({ path: 'pipe', type: 'FIFO' }), ['specialFile pipe']);
    });

    it('includes two files with one name, but not two entries for one folder', async () => {
      const problems = await ofEntries(
        { path: 'a', type: 'Directory' },
        { path: './a/', type: 'Directory' },
        { path: 'a/x', content: 'one' },
        { path: './a//x', content: 'other' },
      );
      assert.deepEqual(problems, ['duplicate ./a//x']);
    });

    it('includes 100,000 files, and no more are counted', async () => {
      const facts = await ofArchive(createArchiveOfEmptyFiles(100_000));
      assert.deepEqual(
        facts.problems.map(({ code }) => code),
        ['tooManyEntries'],
      );
      assert.equal(facts.entries, 100_000);
    });

    it('includes paths that are longer than file systems support', async () => {
      const long = 'a/'.repeat(400_000);
      const path = await ofEntries(extended({ path: long }), { path: 'x' });
      assert.deepEqual(path, [`longPath ${long.slice(0, 1_024)}`]);
      const target = { path: 'x', type: 'SymbolicLink', linkpath: 'y' } as const;
      assert.deepEqual(await ofEntries(extended({ linkpath: long }), target), ['longPath x']);
    });

    it('includes 100,000 folders, even if only the paths of files name them', async () => {
      const files = Array.from({ length: 400 }, (_, index) => [
        extended({ path: `${String(index)}/${'a/'.repeat(300)}x` }),
        { path: 'x' },
      ]);
      assert.deepEqual(await ofEntries(...files.flat()), ['tooManyEntries ']);
    });

    it('includes links over so many others that following them takes minutes', async () => {
      const detour = `${'a/'.repeat(200)}${'../'.repeat(200)}`;
      const chain = Array.from({ length: 30 }, (_, index) => `l${String(index)}`);
      const many = Array.from({ length: 2_000 }, (_, index) => `m${String(index)}`);
      const linked = [
        ...chain.map((name, index) => [name, chain[index + 1] ?? 'end'] as const),
        ...many.map((name) => [name, 'l0'] as const),
      ];
      const entries = linked.flatMap(([name, to]): RawEntry[] => [
        extended({ linkpath: `${detour}${to}` }),
        { path: name, type: 'SymbolicLink', linkpath: 'x' },
      ]);
      const problems = await ofEntries(...entries, { path: 'end' });
      assert.ok(problems.length > 0 && problems.every((text) => text.startsWith('linkLoop m')));
    });

    it('includes an empty build', async () => {
      assert.deepEqual(
        (await ofFolder()).problems.map(({ code }) => code),
        ['noEntries'],
      );
      assert.deepEqual(await ofEntries({ path: './', type: 'Directory' }), ['noEntries ']);
    });
  });

  it('reports that a file is not an archive', async () => {
    const codes = async (bytes: Uint8Array): Promise<string[]> =>
      (await ofArchive(bytes)).problems.map(({ code }) => code);
    assert.deepEqual(await codes(Buffer.from('plain text')), ['notAnArchive']);
    assert.deepEqual(await codes(gzipSync('a packed text')), ['notAnArchive']);
    assert.deepEqual(await codes(gzipSync(rawArchive([{ path: 'x' }]))), ['notAnArchive']);
    const packedTwice = gzipSync(zstdCompressSync(gunzipSync(rawArchive([{ path: 'x' }]))));
    assert.deepEqual(await codes(packedTwice), ['notAnArchive']);
    assert.deepEqual(await codes(Buffer.alloc(0)), ['notAnArchive']);
  });

  it('distinguishes a ZIP archive, a plain tar archive, and an empty one', async () => {
    const codes = async (bytes: Uint8Array): Promise<string[]> =>
      (await ofArchive(bytes)).problems.map(({ code }) => code);
    assert.deepEqual(await codes(Buffer.from('PK\x03\x04rest', 'latin1')), ['zipArchive']);
    assert.deepEqual(await codes(Buffer.from('PK\x05\x06rest', 'latin1')), ['zipArchive']);
    assert.deepEqual(await codes(gunzipSync(rawArchive([{ path: 'x' }]))), ['plainTar']);
    assert.deepEqual(await codes(gzipSync(Buffer.alloc(1_024))), ['noEntries']);
    assert.deepEqual(await codes(gzipSync(Buffer.alloc(1_000_000))), ['noEntries']);
    const zerosFirst = Buffer.concat([Buffer.alloc(1_024), Buffer.from('a packed text')]);
    assert.notDeepEqual(await codes(gzipSync(zerosFirst)), []);
  });

  it('does not block on a pipe in place of an archive', async () => {
    const pipe = join(folder.path, 'module.tar.gz');
    execFileSync('mkfifo', [pipe]);
    const { problems } = await inspectBuild(pipe, {}, { signal });
    assert.deepEqual(
      problems.map(({ code, path }) => [code, path]),
      [['specialFile', 'module.tar.gz']],
    );
  });

  it('reports a damaged archive that is truncated or changed', async () => {
    const content = Buffer.from(Array.from({ length: 9_000 }, (_, index) => (index * 7919) % 251));
    const whole = rawArchive([
      { path: 'x', content: 'x' },
      { path: 'y', content },
    ]);
    const codes = async (bytes: Uint8Array): Promise<string[]> =>
      (await ofArchive(bytes)).problems.map(({ code }) => code);
    assert.deepEqual(await codes(whole), []);
    assert.deepEqual(await codes(whole.subarray(0, -9)), ['damaged']);
    const changed = Buffer.from(whole);
    changed.writeUInt8((changed.at(-6) ?? 0) ^ 1, changed.length - 6);
    assert.deepEqual(await codes(changed), ['damaged']);
  });

  it('unpacks no more than the limit, regardless of the compression', async () => {
    const content = Buffer.alloc(8 * 1024 * 1024);
    const bomb = folder.file('bomb.tar.gz', rawArchive([{ path: 'main', content }]));
    const problemsUpTo = async (maxBytes?: number): Promise<readonly string[]> => {
      const { problems } = await inspectBuild(bomb, {}, { signal, maxBytes });
      return problems.map(({ code }) => code);
    };
    assert.deepEqual(await problemsUpTo(), []);
    assert.deepEqual(await problemsUpTo(1024 * 1024), ['tooManyBytes']);
  });

  it('stops when it is canceled', async () => {
    folder.file('x');
    const stopped = AbortSignal.abort();
    await assert.rejects(inspectBuild(folder.path, {}, { signal: stopped }), {
      name: 'AbortError',
    });
  });

  it('names a folder that cannot be read', async function () {
    if (process.getuid?.() === 0) return;
    folder.file('closed/x');
    chmodSync(`${folder.path}/closed`, 0);
    const { problems, fingerprint } = await ofFolder();
    chmodSync(`${folder.path}/closed`, 0o755);
    assert.deepEqual(problems, [{ code: 'unreadable', path: 'closed', target: undefined }]);
    assert.equal(fingerprint, undefined, 'no one has read all of it');
  });
});
