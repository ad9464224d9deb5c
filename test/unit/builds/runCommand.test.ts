import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromRoot } from '../../../scripts/support/paths';
import { runCommand } from '../../../src/builds/runCommand';
import { waitUntil } from '../../support/waitUntil';

/** Receives this process's signals, because mocha itself listens for the real signals. */
class TestSignals extends EventEmitter {
  constructor(readonly stdin: { readonly isTTY: boolean }) {
    super();
  }
}

/** Shells start `sleep` in such a way that it ignores SIGINT. */
const COMMAND =
  'sleep 600 & echo "$$ $!" > started.tmp; mv started.tmp started; wait; echo late > log';

const SPIN_MS = 100;

describe('Ctrl+C in a build', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const read = (name: string): string => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return '';
    }
  };

  /** Returns true if a process is running; a zombie process doesn't count as running. */
  const isRunning = (pid: number): boolean => {
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return !/^(Z|$)/.test(stdout.trim());
  };

  async function interrupt(isTTY: boolean): Promise<number> {
    const signals = new TestSignals({ isTTY });
    const running = runCommand({ command: COMMAND, folder, environment: process.env }, signals);
    await waitUntil(() => read('started') !== '');
    const [shell = 0, sleeper = 0] = read('started').trim().split(' ').map(Number);
    assert.ok(isRunning(sleeper));
    signals.emit('SIGINT', 'SIGINT');
    // Behave like a terminal, which sends the signal to all processes in its foreground.
    if (isTTY) process.kill(shell, 'SIGINT');
    await assert.rejects(running, { exitCode: 130, message: /SIGINT/ });
    assert.equal(signals.eventNames().length, 0);
    return sleeper;
  }

  it('ends background processes after the command has handled it', async () => {
    const sleeper = await interrupt(true);
    await waitUntil(() => !isRunning(sleeper));
    assert.equal(read('log'), '');
  });

  it('reaches the command once in a terminal whose input is redirected', async () => {
    // Behave like a terminal when the user runs `fleetwright module build < /dev/null`.
    const command =
      'trap "echo interrupted >> log" INT; trap "exit 3" TERM; echo $$ > started.tmp; mv started.tmp started; while :; do sleep 0.01; done';
    const script = `import { runCommand } from ${JSON.stringify(pathToFileURL(fromRoot('src', 'builds', 'runCommand.ts')).href)};
      const command = { command: ${JSON.stringify(command)}, folder: ${JSON.stringify(folder)}, environment: process.env };
      runCommand(command).catch(({ exitCode }) => process.exit(exitCode));`;
    const builder = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { detached: true, stdio: 'ignore' },
    );
    const exited = once(builder, 'exit');
    await waitUntil(() => read('started') !== '');
    assert.ok(builder.pid !== undefined);
    process.kill(-builder.pid, 'SIGINT');
    await waitUntil(() => read('log') !== '');
    // The second signal arrives after the builder has handled the first one.
    process.kill(builder.pid, 'SIGTERM');
    assert.deepEqual(await exited, [3, null]);
    assert.equal(read('log'), 'interrupted\n');
  });

  it('is handled before the command starts, so that it cannot end only the builder', async () => {
    const signals = new TestSignals({ isTTY: false });
    const on = signals.on.bind(signals);
    let hasStarted = false;
    signals.on = (...listener) => {
      // Enough time for a command that is already running.
      const end = performance.now() + SPIN_MS;
      while (performance.now() < end) hasStarted ||= read('started') !== '';
      return on(...listener);
    };
    const command = 'echo > started';
    await runCommand({ command, folder, environment: process.env }, signals);
    assert.equal(hasStarted, false);
    assert.notEqual(read('started'), '');
  });

  it('is forwarded to the command if no terminal does it', async () => {
    const sleeper = await interrupt(false);
    await waitUntil(() => !isRunning(sleeper));
    assert.equal(read('log'), '');
  });
});
