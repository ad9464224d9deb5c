import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { ArchiveFacts, type Examination, examineModule } from '../../../src/archives/examineModule';
import { inspectFile } from '../../../src/archives/inspectFile';
import { parseManifest } from '../../../src/core/modules/manifest/parseManifest';
import { elfHead, elfMachines } from '../core/modules/programHeads';
import { TestFolder } from '../../support/archives';

describe('the files of a module', () => {
  let folder = '';
  let archives = new ArchiveFacts();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-module-'));
    archives = new ArchiveFacts();
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function put(file: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), content, { mode });
  }

  async function examine(
    fields: Readonly<Record<string, unknown>>,
    isThorough = true,
  ): Promise<Examination> {
    const { manifest } = parseManifest(JSON.stringify({ module_id: 'acme:weather', ...fields }));
    assert.ok(manifest);
    const { signal } = new AbortController();
    return examineModule(folder, manifest, { isThorough, signal, archives });
  }

  async function codes(
    fields: Readonly<Record<string, unknown>>,
    isThorough = true,
  ): Promise<readonly string[]> {
    const { named, contents = [] } = await examine(fields, isThorough);
    return [...named, ...contents].map(({ code }) => code);
  }

  for (const isThorough of [true, false]) {
    describe(isThorough ? 'after it was checked' : 'looked at alone', () => {
      it('have no problems if they are complete', async () => {
        await put('main', elfHead({ machine: elfMachines.amd64 }), 0o755);
        await put('README.md', '# Weather');
        await put('build.sh', '#!/bin/sh\n', 0o755);
        const fields = {
          entrypoint: './main',
          markdown_link: 'README.md',
          build: { build: './build.sh', arch: ['linux/amd64'] },
        };
        assert.deepEqual(await codes(fields, isThorough), []);
      });

      it('include an invalid entrypoint', async () => {
        await mkdir(join(folder, 'dist'));
        await put('data', 'x');
        await symlink('/bin/sh', join(folder, 'shell'));
        await symlink('loop', join(folder, 'loop'));
        const one = (entrypoint: string): Promise<readonly string[]> =>
          codes({ entrypoint }, isThorough).then((found) => [...new Set(found)].slice(0, 1));
        assert.deepEqual(await one('main'), ['fileMissing']);
        assert.deepEqual(await one('data/main'), ['fileMissing']);
        assert.deepEqual(await one('dist'), ['fileIsFolder']);
        assert.deepEqual(await one('data'), ['fileNotExecutable']);
        assert.deepEqual(await one('shell'), ['fileOutside']);
        assert.deepEqual(await one('loop'), ['fileNotFile']);
      });

      it('include a program for another machine, and a script with Windows line breaks', async () => {
        await put('main', elfHead({ machine: elfMachines.arm64 }), 0o755);
        await put('run.sh', '#!/bin/sh\r\nexec python3 main.py\r\n', 0o755);
        const build = { arch: ['linux/amd64'] };
        assert.deepEqual(await codes({ entrypoint: 'main', build }, isThorough), [
          'programPlatform',
        ]);
        assert.deepEqual(await codes({ entrypoint: 'run.sh', build }, isThorough), [
          'scriptLineEnds',
        ]);
      });
    });
  }

  it('are not read outside of the folder, regardless of the manifest', async () => {
    const fields = {
      entrypoint: '../../../../../../bin/sh',
      first_run: '/etc/passwd',
      markdown_link: '../secret.md',
      build: { path: '../../../../../etc', build: '../build.sh' },
    };
    assert.deepEqual(await codes(fields, false), []);
    await symlink(tmpdir(), join(folder, 'out'));
    assert.equal((await inspectFile(folder, 'out')).state, 'outside');
    assert.equal((await inspectFile(folder, '../x')).state, 'outside');
  });

  it('are reported if the path of the build leads out of the folder', async () => {
    using elsewhere = new TestFolder();
    elsewhere.program('main');
    await symlink(elsewhere.path, join(folder, 'dist'));
    const { named } = await examine({ entrypoint: 'main', build: { path: 'dist' } });
    assert.deepEqual(
      named.map(({ code }) => code),
      ['buildOutside', 'fileMissing'],
    );
  });

  it('are not read in archives that unpack to too many bytes until those change', async () => {
    archives = new ArchiveFacts(1024);
    await put('main', 'x'.repeat(100_000), 0o755);
    await create({ cwd: folder, file: join(folder, 'a.tar.gz'), gzip: true }, ['main']);
    const archivePath = join(folder, 'a.tar.gz');
    const options = { isThorough: true, signal: new AbortController().signal };
    assert.equal(await archives.of(archivePath, {}, options), undefined);
    await put('main', 'x', 0o755);
    await create({ cwd: folder, file: archivePath, gzip: true }, ['main']);
    archives = new ArchiveFacts(100_000);
    assert.equal((await archives.of(archivePath, {}, options))?.entries, 1);
  });

  it('are outside even if their path leads there through a link, and no file there is named', async () => {
    using elsewhere = new TestFolder();
    elsewhere.file('build.py');
    await symlink(elsewhere.path, join(folder, 'out'));
    for (const file of ['out/build.sh', 'out/new/build.sh', './out//build.sh']) {
      const { state, candidates } = await inspectFile(folder, file);
      assert.deepEqual([state, candidates], ['outside', []], file);
    }
    assert.equal((await inspectFile(folder, 'new/build.sh')).state, 'missing');
    assert.deepEqual(await codes({ build: { build: './out/build.sh' } }, false), ['fileOutside']);
  });

  it('do not block on a pipe', async () => {
    execFileSync('mkfifo', [join(folder, 'main')]);
    assert.equal((await inspectFile(folder, 'main')).state, 'notFile');
  });

  it('can have names with shell metacharacters', async () => {
    const name = 'main; touch $(id) `id` "x" \'y\'';
    await put(name, '#!/bin/sh\n', 0o755);
    assert.deepEqual(await codes({ entrypoint: name }), []);
  });

  it('include candidates with another extension or case', async () => {
    await put('dist/Main.js', 'x');
    const { candidates } = await inspectFile(folder, 'dist/main');
    assert.deepEqual(candidates, ['dist/Main.js']);
  });

  it('are read from an existing archive, and again only after it changed', async () => {
    const fields = { entrypoint: 'main', build: { build: 'make', path: 'module.tar.gz' } };
    assert.deepEqual(await codes(fields), ['notBuilt']);
    await put('made/main', '#!/bin/sh\n', 0o644);
    const pack = (): Promise<void> =>
      create({ gzip: true, cwd: join(folder, 'made'), file: join(folder, 'module.tar.gz') }, [
        'main',
      ]);
    await pack();
    assert.deepEqual(await codes(fields, false), [], 'not read yet, so there are no diagnostics');
    assert.deepEqual(await codes(fields), ['fileNotExecutable']);
    assert.deepEqual(await codes(fields, false), ['fileNotExecutable']);
    await chmod(join(folder, 'made/main'), 0o755);
    await pack();
    await utimes(join(folder, 'module.tar.gz'), 1, 1);
    assert.deepEqual(await codes(fields), []);
  });

  it('are not read from a file that is not an archive', async () => {
    await put('module.tar.gz', 'binary \u0000 content');
    const fields = { entrypoint: 'main', build: { path: 'module.tar.gz' } };
    assert.ok((await codes(fields)).includes('notAnArchive'));
  });

  it('are reported if they are links out of the build', async () => {
    await put('main', '#!/bin/sh\n', 0o755);
    await symlink('/usr/bin/env', join(folder, 'env'));
    const { named, contents } = await examine({ entrypoint: 'main' });
    assert.deepEqual(named, []);
    assert.deepEqual(
      contents?.map(({ code, args }) => [code, ...args]),
      [['linkOutside', 'env', '/usr/bin/env']],
    );
  });
});
