import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fromRoot } from '../../scripts/support/paths';
import { systemSleep } from '../../src/base/clock';
import type { RunRequest, RunTarget } from '../../src/core/modules/run/runMessages';
import { LocalRun, type RunSettings } from '../../src/moduleRun/localRun';
import {
  SUPERVISE,
  type SuperviseEvent,
  type SuperviseRequest,
} from '../../src/moduleRun/supervisor';
import { bundledProgram } from '../support/bundledProgram';
import { generatedInto } from '../support/generatedModule';
import { waitUntil } from '../support/waitUntil';

const NEVER = new AbortController().signal;
const TARGET = {
  moduleId: 'acme:weather',
  api: 'rdk:component:sensor',
  model: 'acme:weather:station',
};

describe('a module that runs on this computer', function () {
  this.timeout(120_000);
  let folder: string;
  let temporaryFolder: string;
  let lines: string[];

  let program: string;

  before(async () => {
    program = await bundledProgram('moduleRun');
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    temporaryFolder = join(folder, 'tmp');
    mkdirSync(temporaryFolder);
    lines = [];
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function target(change: Partial<RunTarget> = {}): RunTarget {
    return { ...TARGET, folder, entrypoint: 'run.sh', ...change };
  }

  function settings(change: Partial<RunSettings> = {}): RunSettings {
    // PATH that also contains the Node.js executable that runs the tests.
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
    return {
      platform: process.platform,
      environment: { ...process.env, PATH, SVC_API_KEY: 'secret' },
      program,
      version: '1.0.0',
      log: (line) => void lines.push(line),
      temporaryFolder,
      sleep: systemSleep,
      ...change,
    };
  }

  function writeScript(text: string, mode = 0o755): void {
    const file = join(folder, 'run.sh');
    writeFileSync(file, text, { mode });
    chmodSync(file, mode);
  }

  const isRunning = (pid: number): boolean => {
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return !/^(Z|$)/.test(stdout.trim());
  };

  /** Returns the IDs that a script has written to a file, one per line. */
  const readIds = (): readonly number[] =>
    readFileSync(join(folder, 'ids'), 'utf8').trim().split('\n').map(Number);

  const assertNothingLeft = (): void => assert.deepEqual(readdirSync(temporaryFolder), []);

  describe('generated in TypeScript', () => {
    let built: string;

    before(() => {
      built = mkdtempSync(join(tmpdir(), 'fleetwright-modules-'));
      symlinkSync(fromRoot('node_modules'), join(built, 'node_modules'));
      generatedInto(join(built, 'sensor'), 'sensor', 'typescript');
      const PATH = `${fromRoot('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
      for (const [command, ...args] of [
        ['buf', 'generate'],
        [process.execPath, 'build.mjs'],
      ] as const) {
        const { status, stderr } = spawnSync(command, args, {
          cwd: join(built, 'sensor'),
          env: { ...process.env, PATH },
          encoding: 'utf8',
        });
        assert.equal(status, 0, stderr);
      }
    });

    after(() => rmSync(built, { recursive: true, force: true }));

    const start = (change: Partial<RunSettings> = {}): Promise<LocalRun> =>
      LocalRun.start(target({ folder: join(built, 'sensor') }), settings(change), NEVER);

    it('creates its resource, responds to calls, and leaves no process and no file', async () => {
      const run = await start();
      try {
        const [runFolder = ''] = readdirSync(temporaryFolder);
        assert.equal(statSync(join(temporaryFolder, runFolder)).mode & 0o777, 0o700);
        const methods = new Map(run.methods.map(({ name, template }) => [name, template]));
        assert.deepEqual(methods.get('GetReadings'), {});
        assert.deepEqual(methods.get('DoCommand'), { command: {} });
        const configured = await run.configure({ offset_celsius: 200 }, NEVER);
        assert.deepEqual(configured, { dependencies: [] });
        const answer = await run.call('GetReadings', {}, NEVER);
        assert.match(JSON.stringify(answer), /^\{"readings":\{"temperature_celsius":2[12]\d/);
        await run.configure({}, NEVER);
        const changed = await run.call('GetReadings', {}, NEVER);
        assert.match(JSON.stringify(changed), /"temperature_celsius":(1|2)\d[.}]/);
      } finally {
        await run.stop();
      }
      assert.equal(await run.exited, 'exit code 0');
      assert.match(lines.join('\n'), /^Listening on /);
      assertNothingLeft();
    });

    it('explains rejected attributes and requests, and continues to run', async () => {
      const run = await start();
      try {
        await assert.rejects(run.configure({ offset_celsius: 'warm' }, NEVER), {
          message: /rejected the attributes: .*"offset_celsius" has to be a number, not "warm"/,
        });
        await assert.rejects(run.call('GetReadings', {}, NEVER), {
          message: /^GetReadings failed: \[not_found\] This module has no .*"station"/,
        });
        await run.configure({}, NEVER);
        await assert.rejects(run.call('DoCommand', { blink: 2 }, NEVER), {
          message: /^The request doesn't match DoCommand: .*blink.*Correct the request fields/,
        });
        const answer = await run.call('DoCommand', { command: { blink: 2 } }, NEVER);
        assert.deepEqual(answer, { result: { received: { blink: 2 } } });
      } finally {
        await run.stop();
      }
    });

    it('reports a model that it does not register', async () => {
      const missing = target({ folder: join(built, 'sensor'), model: 'acme:weather:vane' });
      await assert.rejects(LocalRun.start(missing, settings(), NEVER), {
        message:
          /^The module doesn't register the model acme:weather:vane\. It registers: acme:weather:station\./,
      });
      assertNothingLeft();
    });

    it('uses ports of this computer where sockets in folders are unavailable', async () => {
      // Processes exit as usual on this system. Only the addressing is the same as on Windows.
      const run = await start({ addressing: 'win32' });
      try {
        await run.configure({}, NEVER);
        assert.ok(await run.call('GetReadings', {}, NEVER));
      } finally {
        await run.stop();
      }
      assert.match(lines.join('\n'), /^Listening on 127\.0\.0\.1:\d+\.$/m);
      assertNothingLeft();
    });
  });

  it('fills in the name of its resource where the API names it differently', async () => {
    const built = mkdtempSync(join(tmpdir(), 'fleetwright-modules-'));
    try {
      symlinkSync(fromRoot('node_modules'), join(built, 'node_modules'));
      const module = join(built, 'controller');
      generatedInto(module, 'inputController', 'typescript');
      const PATH = `${fromRoot('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
      const env = { ...process.env, PATH };
      assert.equal(spawnSync('buf', ['generate'], { cwd: module, env }).status, 0);
      assert.equal(spawnSync(process.execPath, ['build.mjs'], { cwd: module, env }).status, 0);
      const api = 'rdk:component:input_controller';
      const run = await LocalRun.start(target({ folder: module, api }), settings(), NEVER);
      try {
        await run.configure({ controls: ['ButtonStart'] }, NEVER);
        const methods = new Map(run.methods.map(({ name, template }) => [name, template]));
        assert.deepEqual(methods.get('GetControls'), {});
        const answer = await run.call('GetControls', {}, NEVER);
        assert.deepEqual(answer, { controls: ['ButtonStart'] });
      } finally {
        await run.stop();
      }
    } finally {
      rmSync(built, { recursive: true, force: true });
    }
  });

  it('stops with all processes that it started, even if it ignores SIGTERM', async () => {
    writeScript(`#!/bin/sh
trap '' TERM
sleep 600 &
printf '%s\\n' $$ $! > ids.tmp
mv ids.tmp ids
wait
`);
    const canceling = new AbortController();
    const starting = LocalRun.start(target(), settings({ stopTimeoutMs: 1 }), canceling.signal);
    await waitUntil(() => existsSync(join(folder, 'ids')));
    canceling.abort();
    await assert.rejects(starting, { message: 'The operation was canceled.' });
    await waitUntil(() => readIds().every((id) => !isRunning(id)));
    assertNothingLeft();
  });

  it('stops when the editor exits without stopping it', async () => {
    writeScript("#!/bin/sh\nprintf '%s\\n' $$ > ids\nexec sleep 600\n");
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, TMPDIR: temporaryFolder },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exited = once(child, 'exit');
    const request: RunRequest = { kind: 'start', id: 1, target: target() };
    child.send(request);
    await waitUntil(() => existsSync(join(folder, 'ids')) && readIds()[0] !== 0);
    child.disconnect();
    await exited;
    await waitUntil(() => readIds().every((id) => !isRunning(id)));
    assertNothingLeft();
  });

  it('stops with all processes that it started when its parent process is killed', async () => {
    writeScript(`#!/bin/sh
trap '' TERM
sleep 600 &
printf '%s\\n' $$ $! > ids.tmp
mv ids.tmp ids
wait
`);
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, TMPDIR: temporaryFolder },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exited = once(child, 'exit');
    const request: RunRequest = { kind: 'start', id: 1, target: target() };
    child.send(request);
    await waitUntil(() => existsSync(join(folder, 'ids')));
    child.kill('SIGKILL');
    await exited;
    await waitUntil(() => readIds().every((id) => !isRunning(id)));
    await waitUntil(() => readdirSync(temporaryFolder).length === 0);
  });

  it('stops when the editor is killed', async () => {
    writeScript("#!/bin/sh\nprintf '%s\\n' $$ > ids\nexec sleep 600\n");
    const editor = join(folder, 'editor.cjs');
    const request: RunRequest = { kind: 'start', id: 1, target: target() };
    writeFileSync(
      editor,
      `const child = require('node:child_process').spawn(process.execPath, [process.argv[2]], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      child.send(${JSON.stringify(request)});`,
    );
    const child = spawn(process.execPath, [editor, program], {
      env: { ...process.env, TMPDIR: temporaryFolder },
      stdio: 'inherit',
    });
    const exited = once(child, 'exit');
    await waitUntil(() => existsSync(join(folder, 'ids')) && readIds()[0] !== 0);
    child.kill('SIGKILL');
    await exited;
    await waitUntil(() => readIds().every((id) => !isRunning(id)));
    await waitUntil(() => readdirSync(temporaryFolder).length === 0);
  });

  it('truncates a line without an end', async () => {
    writeScript("#!/bin/sh\nprintf '%20000s' start\nexec sleep 600\n");
    const canceling = new AbortController();
    const starting = LocalRun.start(target(), settings(), canceling.signal);
    await waitUntil(() => lines.length > 0);
    canceling.abort();
    await assert.rejects(starting, { message: 'The operation was canceled.' });
    assert.deepEqual(lines, [`${' '.repeat(10_000)} […]`]);
    assertNothingLeft();
  });

  it('stops when its parent process fails', async () => {
    writeScript("#!/bin/sh\nprintf '%s\\n' $$ > ids\nexec sleep 600\n");
    const failing = join(folder, 'failing.cjs');
    writeFileSync(
      failing,
      "process.on('message', (text) => { if (text === 'fail') throw new Error('No room.'); });",
    );
    const child = spawn(process.execPath, ['--require', failing, program], {
      env: { ...process.env, TMPDIR: temporaryFolder },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const events: unknown[] = [];
    child.on('message', (event) => events.push(event));
    const exited = once(child, 'exit');
    const request: RunRequest = { kind: 'start', id: 1, target: target() };
    child.send(request);
    await waitUntil(() => existsSync(join(folder, 'ids')) && readIds()[0] !== 0);
    child.send('fail');
    await exited;
    await waitUntil(() => readIds().every((id) => !isRunning(id)));
    assert.deepEqual(events[0], {
      kind: 'exit',
      problem: { kind: 'internal', reason: 'No room.' },
    });
    assertNothingLeft();
  });

  it('is reported with its exit code and its last lines if it exits early', async () => {
    writeScript('#!/bin/sh\nsleep 600 &\necho $! > ids\necho no sensor on the bus >&2\nexit 3\n');
    await assert.rejects(LocalRun.start(target(), settings(), NEVER), {
      message: 'The module exited before it was ready (exit code 3).\nno sensor on the bus',
    });
    await waitUntil(() => readIds().every((id) => !isRunning(id)));
    assertNothingLeft();
  });

  it('is stopped after the time limit if it never listens', async () => {
    writeScript('#!/bin/sh\necho $$ > ids\necho waiting for "$1"\nexec sleep 600\n');
    const waited: number[] = [];
    // Make the timeout expire as soon as the module has started.
    const sleep = async (milliseconds: number): Promise<void> => {
      waited.push(milliseconds);
      await waitUntil(() => lines.length > 0);
    };
    await assert.rejects(LocalRun.start(target(), settings({ sleep }), NEVER), {
      message:
        /^The module was not ready after 60 seconds and was stopped\. It must listen on the address in its first argument\.\nwaiting for .*module\.sock$/,
    });
    assert.deepEqual(waited, [60_000]);
    await waitUntil(() => readIds().every((id) => !isRunning(id)));
    assertNothingLeft();
  });

  it('has no access to the API key that uploads modules in its environment', async () => {
    writeScript(
      '#!/bin/sh\necho "key:$SVC_API_KEY name:$VIAM_MODULE_NAME root:$VIAM_MODULE_ROOT"\n',
    );
    await assert.rejects(LocalRun.start(target(), settings(), NEVER));
    assert.deepEqual(lines, [`key: name:acme_weather root:${folder}`]);
  });

  it('is not started if its entrypoint is missing, not executable, or not a program', async () => {
    await assert.rejects(LocalRun.start(target(), settings(), NEVER), {
      message:
        'The entrypoint run.sh doesn\'t exist. Build the module, or correct "entrypoint" in the manifest.',
    });
    writeScript('#!/bin/sh\n', 0o644);
    await assert.rejects(LocalRun.start(target(), settings(), NEVER), {
      message: /^The entrypoint run\.sh is not executable\. Run "chmod \+x" on it/,
    });
    // Windows has no executable permission.
    const onWindows = settings({ platform: 'win32' });
    await assert.rejects(LocalRun.start(target(), onWindows, NEVER), {
      message: /^Couldn't start the entrypoint run\.sh: /,
    });
    writeScript('#!/nowhere/interpreter\n');
    await assert.rejects(LocalRun.start(target(), settings(), NEVER), {
      message: /^Couldn't start the entrypoint run\.sh: .*whose interpreter is installed\.$/,
    });
    assertNothingLeft();
  });

  it('reports a start that the system rejects immediately', async () => {
    writeScript('#!/bin/sh\n');
    const supervisor = spawn(process.execPath, [program, SUPERVISE], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const events: SuperviseEvent[] = [];
    supervisor.on('message', (event: SuperviseEvent) => events.push(event));
    const exited = once(supervisor, 'exit');
    // No system accepts an argument of this length. In the same way, Windows rejects scripts
    // without a known extension.
    const address = 'x'.repeat(4_000_000);
    const request: SuperviseRequest = { path: join(folder, 'run.sh'), address, runFolder: folder };
    supervisor.send(request);
    await exited;
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['startFailed'],
    );
  });

  it('is not started if the path of its socket is too long', async () => {
    writeScript('#!/bin/sh\n');
    const long = join(temporaryFolder, 'x'.repeat(100));
    mkdirSync(long);
    await assert.rejects(LocalRun.start(target(), settings({ temporaryFolder: long }), NEVER), {
      message: /module\.sock is longer than the system limit of 103 bytes\. Set TMPDIR/,
    });
    assert.deepEqual(readdirSync(long), []);
  });
});
