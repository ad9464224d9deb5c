import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildError } from '../../../src/builds/runCommand';
import { runBuild } from '../../../src/builds/runBuild';
import type { BuildInstructions } from '../../../src/core/modules/buildPlan';
import type { Platform } from '../../../src/core/modules/platforms';
import { waitUntil } from '../../support/waitUntil';
import { waitUntilExited } from '../../support/waitUntilExited';

describe('running the build of a manifest', () => {
  let folder: string;
  let output: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    output = [];
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(instructions: BuildInstructions, ...platforms: readonly Platform[]) {
    const say = (line: string): void => void output.push(line);
    return runBuild({ folder, instructions, platforms, environment: process.env, report: say });
  }

  /** Returns true if a process is running; a zombie process doesn't count as running. */
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it('runs its commands in the folder of the manifest, and the setup once', async () => {
    const results = await run(
      {
        setup: 'echo setup >> log',
        build:
          'echo build "$VIAM_BUILD_OS/$VIAM_BUILD_ARCH" >> log; mkdir -p dist; cp log dist/a.tar.gz',
        path: 'dist/a.tar.gz',
      },
      'linux/amd64',
      'linux/arm64',
    );
    assert.equal(read('log'), 'setup\nbuild linux/amd64\nbuild linux/arm64\n');
    assert.deepEqual(
      output.map((line) => line.split(':')[0]),
      ['Setting up', 'Building for linux/amd64', 'Building for linux/arm64'],
    );
    assert.deepEqual(
      results.map(({ platform, path }) => [platform, path]),
      [
        ['linux/amd64', 'dist/a-linux-amd64.tar.gz'],
        ['linux/arm64', 'dist/a-linux-arm64.tar.gz'],
      ],
    );
    assert.equal(read('dist/a-linux-amd64.tar.gz'), 'setup\nbuild linux/amd64\n');
    assert.equal(read('dist/a-linux-arm64.tar.gz'), read('dist/a.tar.gz'));
  });

  it('preserves the builds of all platforms even if each build clears the previous ones', async () => {
    const build = 'rm -rf dist; mkdir dist; echo $VIAM_BUILD_ARCH > dist/a.tgz; ls dist > seen';
    await run({ build, path: 'dist/a.tgz' }, 'linux/amd64', 'linux/arm64');
    assert.equal(read('seen'), 'a.tgz\n');
    assert.deepEqual(readdirSync(join(folder, 'dist')).toSorted(), [
      'a-linux-amd64.tgz',
      'a-linux-arm64.tgz',
      'a.tgz',
    ]);
  });

  it('fails for one of several platforms whose build does not write the output', async () => {
    const both = ['linux/amd64', 'linux/arm64'] as const;
    const build =
      'test $VIAM_BUILD_ARCH = arm64 || { mkdir -p out; echo x > out/main; echo x > a.tgz; }';
    for (const path of ['a.tgz', 'out']) {
      await assert.rejects(run({ build, path }, ...both), {
        name: 'BuildError',
        message: new RegExp(`^The build for linux/arm64 succeeded, but .* didn't write ${path},`),
      });
      // This output is from the previous run.
      await assert.rejects(
        run({ build: 'true', path }, ...both),
        /for linux\/amd64 succeeded, but/,
      );
    }
    assert.deepEqual(readdirSync(folder).toSorted(), ['a.tgz', 'out']);
  });

  it('accepts outputs with a modification time before the build', async () => {
    const build = 'echo $VIAM_BUILD_ARCH > a.tgz; touch -t 197001010000 a.tgz';
    await run({ build, path: 'a.tgz' }, 'linux/amd64', 'linux/arm64');
    assert.equal(read('a-linux-amd64.tgz'), 'amd64\n');
    assert.equal(read('a-linux-arm64.tgz'), 'arm64\n');
  });

  it("preserves folders as well, and the name of a single platform's build", async () => {
    const build = 'mkdir -p out; echo $VIAM_BUILD_ARCH > out/main';
    const [one] = await run({ build, path: 'out/' }, 'linux/arm64');
    assert.deepEqual([one?.path, one?.isFolder], ['out/', true]);
    await run({ build, path: 'out/' }, 'linux/amd64', 'linux/arm64');
    assert.equal(read('out-linux-amd64/main'), 'amd64\n');
  });

  it('replaces a folder that it created before, but no other folder', async () => {
    const build = 'mkdir -p out; echo $VIAM_BUILD_ARCH >> out/main';
    const platforms = ['linux/amd64', 'linux/arm64'] as const;
    await run({ build, path: 'out' }, ...platforms);
    await run({ build, path: 'out' }, ...platforms);
    assert.equal(read('out-linux-amd64/main'), 'amd64\narm64\namd64\n');
    rmSync(join(folder, 'out-linux-arm64'), { recursive: true });
    mkdirSync(join(folder, 'out-linux-arm64'));
    writeFileSync(join(folder, 'out-linux-arm64', 'notes'), 'mine');
    output = [];
    await assert.rejects(
      run({ build, path: 'out' }, ...platforms),
      /replace the folder out-linux-arm64/,
    );
    assert.deepEqual(output, [], 'nothing ran');
    assert.equal(read('out-linux-arm64/notes'), 'mine');
    const archive = { build: 'echo x > a.tgz', path: 'a.tgz' };
    mkdirSync(join(folder, 'a-linux-amd64.tgz'));
    writeFileSync(join(folder, 'a-linux-amd64.tgz', 'notes'), 'mine');
    await assert.rejects(run(archive, ...platforms), /replace the folder a-linux-amd64\.tgz/);
  });

  it('stops between two commands, even if the first one ignores signals', async () => {
    const stopping = new AbortController();
    const say = (line: string): void => {
      output.push(line);
      stopping.abort();
    };
    const stopped = runBuild({
      folder,
      platforms: ['linux/amd64', 'linux/arm64'],
      environment: process.env,
      report: say,
      instructions: { build: 'echo $VIAM_BUILD_ARCH >> log', path: '' },
      signal: stopping.signal,
    });
    await assert.rejects(stopped, { name: 'BuildError', exitCode: 130 });
    assert.equal(read('log'), 'amd64\n');
  });

  it('preserves nothing outside of the folder of the manifest', async () => {
    const outside = join(folder, 'module');
    mkdirSync(outside);
    folder = outside;
    const build = 'echo x > ../a.tgz';
    await assert.rejects(
      run({ build, path: '../a.tgz' }, 'linux/amd64', 'linux/arm64'),
      /not in the folder of the manifest/,
    );
    await run({ build, path: '../a.tgz' }, 'linux/amd64');
    folder = join(outside, '..');
  });

  it('exits with the first command that fails, and its exit code', async () => {
    const failing = run({ setup: 'exit 7', build: 'echo built > log' });
    await assert.rejects(failing, { name: 'BuildError', exitCode: 7 });
    assert.deepEqual(readdirSync(folder), []);
    await assert.rejects(run({ build: 'kill -TERM $$' }), { exitCode: 143, message: /SIGTERM/ });
  });

  it('stops with all processes that its commands started when its terminal is closed', async () => {
    const failing = run({ build: 'sleep 600 & echo $! > started; wait; echo late > log' });
    await waitUntil(() => existsSync(join(folder, 'started')) && read('started') !== '');
    // Simulates a signal from the system; no other test code listens for it.
    process.emit('SIGHUP', 'SIGHUP');
    await assert.rejects(failing, { exitCode: 129, message: /SIGHUP/ });
    await waitUntilExited(Number(read('started')));
    assert.ok(!readdirSync(folder).includes('log'));
  });

  it('reports that the build path of the manifest does not exist', async () => {
    const failing = run({ build: 'true', path: 'dist/a.tar.gz' });
    await assert.rejects(failing, (error) => {
      assert.ok(error instanceof BuildError);
      assert.match(error.message, /but dist\/a\.tar\.gz, .* doesn't exist/);
      return true;
    });
  });

  it('distinguishes new builds from old files', async () => {
    writeFileSync(join(folder, 'a.tgz'), 'old');
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(folder, 'a.tgz'), old, old);
    const [left] = await run({ build: 'true', path: 'a.tgz' });
    assert.equal(left?.isOld, true);
    const [made] = await run({ build: 'touch a.tgz', path: 'a.tgz' });
    assert.equal(made?.isOld, false);
  });

  it('expects no output if the manifest names none', async () => {
    assert.deepEqual(await run({ build: 'true' }), []);
    await assert.rejects(run({ setup: 'touch x' }), /has no build command/);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('injects nothing into commands: names in the environment remain data', async () => {
    const name = `$(touch injected) '"; touch injected #`;
    const hostile = join(folder, name);
    mkdirSync(hostile);
    folder = hostile;
    await run({ build: 'printf %s "$PWD" > where', path: 'where' }, 'linux/amd64', 'linux/arm64');
    assert.ok(read('where').endsWith(name));
    folder = join(hostile, '..');
    assert.deepEqual(readdirSync(folder), [name]);
  });
});
