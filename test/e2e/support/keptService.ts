import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/support/freePort';
import { startService, type ServiceProcess } from '../../../scripts/support/serviceProcess';

/** A fleet service that comes back after it was killed, with the same data at the same address. */
export class KeptService {
  private constructor(
    private readonly folder: string,
    private readonly options: readonly string[],
    /** As it runs now. */
    public process: ServiceProcess,
  ) {}

  /** @param options such as `['--demo']` */
  static async start(options: readonly string[]): Promise<KeptService> {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-kept-'));
    const own = [...options, '--data', folder, '--port', String(await freePort())];
    return new KeptService(folder, own, await startService(own));
  }

  /** File with the first owner's key, the same each time. */
  get credentialsFile(): string {
    return this.process.credentialsFile;
  }

  /** Ends it at once, as a power cut does. */
  async kill(): Promise<void> {
    const { pid, ended } = this.process;
    process.kill(pid, 'SIGKILL');
    await ended;
  }

  async startAgain(): Promise<void> {
    this.process = await startService(this.options);
  }

  async stop(): Promise<void> {
    try {
      await this.process.stop();
    } finally {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
    }
  }
}
