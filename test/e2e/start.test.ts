import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../scripts/support/paths';
import { stillRunning, withDescendants } from './support/descendants';

interface Started {
  child: ChildProcess;
  service: string;
  vsCode: string;
}

describe('npm start', function () {
  // `npm start` first builds and packages everything, which takes minutes on a busy computer.
  this.timeout(300_000);
  let folder: string;
  let running: ChildProcess | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-start-'));
  });

  afterEach(async () => {
    if (running?.exitCode === null) {
      running.kill('SIGTERM');
      await once(running, 'exit');
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  /** Resolves with the printed URLs; rejects with the output if the program exits first. */
  async function start(): Promise<Started> {
    const child = spawn(process.execPath, ['scripts/start.mjs', '--no-open', '--folder', folder], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running = child;
    let output = '';
    for await (const line of createInterface({ input: child.stdout })) {
      output += `${line}\n`;
      const service = /Fleet service: (\S+)/.exec(output)?.[1];
      const vsCode = /VS Code: (\S+)/.exec(output)?.[1];
      if (service !== undefined && vsCode !== undefined) return { child, service, vsCode };
    }
    throw new Error(`It ended:\n${output}`);
  }

  it('serves VS Code and a fleet, and leaves no process after Ctrl+C', async () => {
    const { child, service, vsCode } = await start();
    assert.equal((await fetch(vsCode)).status, 200);
    const credentials = JSON.parse(
      readFileSync(join(folder, 'service', 'credentials.json'), 'utf8'),
    ) as { url: string };
    assert.equal(credentials.url, service);

    const processes = withDescendants(child.pid ?? -1);
    assert.ok(processes.length >= 4, `only ${processes.length} processes`);
    child.stdout?.resume();
    child.kill('SIGINT');
    const [exitCode] = (await once(child, 'exit')) as [number];
    assert.equal(exitCode, 0);
    assert.deepEqual(await stillRunning(processes), []);
    await assert.rejects(fetch(vsCode));
  });

  it('rejects an unknown flag', async () => {
    const child = spawn(process.execPath, ['scripts/start.mjs', '--nope'], {
      cwd: root,
      stdio: 'ignore',
    });
    const [exitCode] = (await once(child, 'exit')) as [number];
    assert.equal(exitCode, 1);
    assert.equal(existsSync(join(folder, 'service')), false);
  });
});
