import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { DiskBuilds } from '../../../src/archives/diskBuilds';
import { inspectBuild } from '../../../src/archives/inspectBuild';
import { isSecretFile } from '../../../src/core/agentTools/toolWorkspace';
import { AgentWorkspace } from '../../../src/files/agentWorkspace';
import { PartialFile } from '../../../src/files/partialFile';
import { isFleetError } from '../../support/isFleetError';
import { writeModule } from '../../support/workspaceModule';

const { signal } = new AbortController();

describe('AgentWorkspace', () => {
  let parent: string;
  let root: string;
  let workspace: AgentWorkspace;

  beforeEach(() => {
    parent = realpathSync(mkdtempSync(join(tmpdir(), 'fleetwright-workspace-')));
    root = join(parent, 'project');
    mkdirSync(root);
    mkdirSync(join(parent, 'outside'));
    writeModule(join(root, 'lidar'), { moduleId: 'acme:lidar' });
    workspace = new AgentWorkspace(() => [root]);
  });

  afterEach(() => rmSync(parent, { recursive: true }));

  const inspect = (folder: string, build?: string) =>
    workspace.inspectModule({ folder, build, platform: undefined }, signal);

  it('lists the files that an upload sends', async () => {
    writeFileSync(join(root, 'lidar', 'build', '.env'), 'TOKEN=1');
    mkdirSync(join(root, 'lidar', 'build', '.git'));
    writeFileSync(join(root, 'lidar', 'build', '.git', 'config'), '');
    const { manifest, buildName, files, diagnostics } = await inspect('lidar');
    assert.equal(manifest.moduleId, 'acme:lidar');
    assert.equal(buildName, 'lidar/build');
    assert.deepEqual(
      files.map(({ path }) => path),
      ['.env', 'main.sh'],
    );
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === 'error'),
      [],
    );
  });

  it('uses nothing outside of its folders, and does not tell what exists there', async () => {
    const outside = join(parent, 'outside');
    writeModule(join(outside, 'other'), { moduleId: 'acme:other' });
    symlinkSync(join(outside, 'other'), join(root, 'linked'));
    mkdirSync(join(root, 'manifest'));
    symlinkSync(join(outside, 'other', 'meta.json'), join(root, 'manifest', 'meta.json'));
    mkdirSync(join(root, 'inner'));
    symlinkSync(join(root, 'lidar', 'meta.json'), join(root, 'inner', 'meta.json'));
    writeModule(join(root, 'escaping'), { moduleId: 'acme:x', build: { path: '../../outside' } });
    writeModule(join(root, 'prefixed'), { moduleId: 'acme:x', build: { path: '../../project2' } });
    mkdirSync(join(parent, 'project2'));
    symlinkSync(outside, join(root, 'lidar', 'link'));
    const attempts: readonly Parameters<typeof inspect>[] = [
      [join(outside, 'other')],
      ['../outside/other'],
      ['linked'],
      ['manifest'],
      ['inner'],
      ['escaping'],
      ['prefixed'],
      ['lidar', outside],
      ['lidar', '../outside'],
      ['lidar', 'lidar/link'],
      ['lidar', '/etc/passwd'],
      ['lidar', '/etc/no-such-file'],
      ['missing'],
    ];
    const messages = new Set<string>();
    for (const attempt of attempts) {
      await assert.rejects(inspect(...attempt), (error) => {
        assert.ok(isFleetError(error, 'permission'), `${attempt.join()}: ${String(error)}`);
        messages.add(error.message);
        return true;
      });
    }
    assert.equal(messages.size, 1);
  });

  it('fails at once for a manifest that is a pipe, or that is huge', async function () {
    if (process.platform === 'win32') return;
    mkdirSync(join(root, 'pipe'));
    execFileSync('mkfifo', [join(root, 'pipe', 'meta.json')]);
    await assert.rejects(inspect('pipe'), (error) => isFleetError(error, 'notFound'));
    mkdirSync(join(root, 'huge'));
    writeFileSync(join(root, 'huge', 'meta.json'), '');
    truncateSync(join(root, 'huge', 'meta.json'), 8 * 1024 ** 3);
    await assert.rejects(inspect('huge'), (error) => isFleetError(error, 'invalid'));
  });

  it('reads the descriptions once, so that the inspected texts are published', async () => {
    writeModule(join(root, 'described'), {
      moduleId: 'acme:lidar',
      markdownLink: './README.md#lidar',
    });
    const readme = join(root, 'described', 'README.md');
    writeFileSync(readme, '# Lidar\nGood');
    const { descriptions, readSibling } = await inspect('described');
    writeFileSync(readme, '# Lidar\nBad!');
    assert.deepEqual(descriptions, [{ path: 'README.md', text: '# Lidar\nGood' }]);
    assert.equal(await readSibling('./README.md'), '# Lidar\nGood');
    await assert.rejects(readSibling('meta.json'), (error) => isFleetError(error, 'internal'));
  });

  it('reports a link in a build that leads out of it', async () => {
    symlinkSync(join(parent, 'outside'), join(root, 'lidar', 'build', 'link'));
    const { diagnostics } = await inspect('lidar');
    assert.ok(diagnostics.some(({ code }) => code === 'linkOutside'));
  });

  it('writes a new file, which is visible when it is complete', async () => {
    mkdirSync(join(root, 'results'));
    const file = await workspace.createFile('results/rows.csv', 'csv');
    await file.write(Buffer.from('a\n'));
    assert.throws(() => readFileSync(join(root, 'results', 'rows.csv')));
    await file.finish();
    assert.equal(file.name, 'results/rows.csv');
    assert.equal(readFileSync(join(root, 'results', 'rows.csv'), 'utf8'), 'a\n');
    assert.deepEqual(readdirSync(join(root, 'results')), ['rows.csv']);
  });

  it('never replaces a file, not even one that is created in the meantime', async () => {
    writeFileSync(join(root, 'old.csv'), 'old');
    symlinkSync(join(parent, 'outside', 'new.csv'), join(root, 'dangling.csv'));
    for (const path of ['old.csv', 'dangling.csv']) {
      await assert.rejects(workspace.createFile(path, 'csv'), (error) =>
        isFleetError(error, 'conflict'),
      );
    }
    for (const create of [
      (path: string) => writeFileSync(path, 'old'),
      (path: string) => symlinkSync(join(parent, 'outside', 'new.csv'), path),
    ]) {
      const file = await workspace.createFile('new.csv', 'csv');
      create(join(root, 'new.csv'));
      await assert.rejects(file.finish(), (error) => isFleetError(error, 'conflict'));
      await file.discard();
      rmSync(join(root, 'new.csv'));
    }
    assert.deepEqual(readdirSync(join(parent, 'outside')), []);
    assert.deepEqual(readdirSync(root).sort(), ['dangling.csv', 'lidar', 'old.csv']);
  });

  it('writes nothing outside of its folders, and no other kinds of files', async () => {
    symlinkSync(join(parent, 'outside'), join(root, 'link'));
    for (const path of ['../outside/a.csv', join(parent, 'outside', 'a.csv'), 'link/a.csv']) {
      await assert.rejects(workspace.createFile(path, 'csv'), (error) =>
        isFleetError(error, 'permission'),
      );
    }
    for (const path of [
      'a.sh',
      'a',
      '.csv',
      '',
      '..',
      'a.csv:b.csv',
      'a\n.csv',
      'a.csv\0',
      '\u202evsc.csv',
      'a\u200b.csv',
    ]) {
      await assert.rejects(workspace.createFile(path, 'csv'), (error) =>
        isFleetError(error, 'invalid'),
      );
    }
    assert.deepEqual(readdirSync(join(parent, 'outside')), []);
  });
});

describe('AgentWorkspace with a folder that is replaced by a link', () => {
  let parent: string;
  let root: string;
  let workspace: AgentWorkspace;

  beforeEach(() => {
    parent = realpathSync(mkdtempSync(join(tmpdir(), 'fleetwright-workspace-')));
    root = join(parent, 'project');
    writeModule(join(root, 'lidar'), { moduleId: 'acme:lidar' });
    writeModule(join(parent, 'outside'), { moduleId: 'acme:lidar' });
    workspace = new AgentWorkspace(() => [root]);
  });

  afterEach(() => {
    mock.restoreAll();
    rmSync(parent, { recursive: true });
  });

  const replace = (folder: string): void => {
    rmSync(folder, { recursive: true });
    symlinkSync(join(parent, 'outside'), folder);
  };

  it('leaves no file outside of it', async () => {
    mkdirSync(join(root, 'results'));
    const create = PartialFile.create.bind(PartialFile);
    mock.method(PartialFile, 'create', (path: string) => {
      replace(join(root, 'results'));
      return create(path);
    });
    await assert.rejects(workspace.createFile('results/rows.csv', 'csv'), (error) =>
      isFleetError(error, 'permission'),
    );
    assert.deepEqual(readdirSync(join(parent, 'outside')).sort(), ['build', 'meta.json']);
  });

  it('offers nothing outside of it for an upload', async () => {
    mock.method(
      DiskBuilds.prototype,
      'inspect',
      (...[path, named, options]: Parameters<DiskBuilds['inspect']>) => {
        replace(join(root, 'lidar', 'build'));
        return inspectBuild(path, named, options);
      },
    );
    const source = { folder: 'lidar', build: undefined, platform: undefined };
    await assert.rejects(workspace.inspectModule(source, signal), (error) =>
      isFleetError(error, 'permission'),
    );
  });
});

describe('isSecretFile', () => {
  it('recognizes the usual names', () => {
    const secret = [
      ['.env', 'a/.env.production', '.npmrc', 'keys/id_rsa', 'id_ed25519.pub', 'tls.key'],
      ['ca.pem', 'etc/viam.json', 'secrets.yaml', 'aws-credentials', '.ssh/known_hosts'],
      ['api_key.txt', 'token', 'Passwords.txt'],
    ].flat();
    for (const path of secret) assert.ok(isSecretFile(path), path);
    for (const path of ['main.py', 'src/token.py', 'meta.json', 'env', 'monkey.txt', 'a/keys.md']) {
      assert.ok(!isSecretFile(path), path);
    }
  });
});
