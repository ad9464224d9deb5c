import assert from 'node:assert/strict';
import { startRestartingService } from '../../../scripts/support/restartingService';
import type {
  ServiceExit,
  ServiceProcess,
  startService,
} from '../../../scripts/support/serviceProcess';

const FAILURE: ServiceExit = { code: 1, signal: null };

/** A service whose processes exit when a test requests it. */
class ScriptedService {
  readonly lines: string[] = [];
  readonly starts: (readonly string[])[] = [];
  readonly delays: number[] = [];
  milliseconds = 0;
  /** Number of further starts that fail. */
  failures = 0;
  private end: (exit: ServiceExit) => void = () => undefined;
  private started = Promise.withResolvers<undefined>();

  readonly start: typeof startService = (options) => {
    this.starts.push(options);
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new Error('no port'));
    }
    const { promise: ended, resolve } = Promise.withResolvers<ServiceExit>();
    this.end = resolve;
    this.started.resolve(undefined);
    const url = 'http://127.0.0.1:4711';
    const stop = (): Promise<void> => {
      resolve({ code: 0, signal: null });
      return Promise.resolve();
    };
    const credentials = { url, apiKeyId: 'id', apiKey: 'key', organizationId: 'organization' };
    const service: ServiceProcess = { url, credentialsFile: 'f', credentials, pid: 1, ended, stop };
    return Promise.resolve(service);
  };

  readonly wait = (milliseconds: number): Promise<void> => {
    this.delays.push(milliseconds);
    this.milliseconds += milliseconds;
    return Promise.resolve();
  };

  open(): ReturnType<typeof startRestartingService> {
    const { start, wait } = this;
    return startRestartingService(['--demo'], {
      logFile: 'service.log',
      report: (line) => void this.lines.push(line),
      start,
      wait,
      now: () => this.milliseconds,
    });
  }

  /** Ends the process and waits until its replacement runs. */
  async exit(exit: ServiceExit): Promise<void> {
    this.started = Promise.withResolvers();
    this.end(exit);
    await this.started.promise;
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }
}

describe('startRestartingService', () => {
  let scripted: ScriptedService;

  beforeEach(() => {
    scripted = new ScriptedService();
  });

  it('reports how the service exited and where its log is, and restarts it at the same port', async () => {
    const service = await scripted.open();
    await scripted.exit({ code: null, signal: 'SIGKILL' });
    assert.deepEqual(scripted.starts, [['--demo'], ['--demo', '--port', '4711']]);
    assert.deepEqual(scripted.lines, [
      'The fleet service exited because of SIGKILL. Its log is service.log.',
      'Starting it again in 1 s.',
      'The fleet service is running again at http://127.0.0.1:4711.',
    ]);
    await service.stop();
  });

  it('waits longer after each failure, up to half a minute, and less after a stable run', async () => {
    const service = await scripted.open();
    scripted.failures = 6;
    await scripted.exit(FAILURE);
    assert.deepEqual(scripted.delays, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    scripted.milliseconds += 60_000;
    await scripted.exit(FAILURE);
    assert.equal(scripted.delays.at(-1), 1_000);
    await service.stop();
  });

  it('does not restart a stopped service', async () => {
    const service = await scripted.open();
    await service.stop();
    assert.equal(scripted.starts.length, 1);
    assert.deepEqual(scripted.lines, []);
  });
});
