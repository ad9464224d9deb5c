import { DemoFolder } from '../../../scripts/support/demoFleet';
import { freePort } from '../../../scripts/support/freePort';
import type { ServiceProcess } from '../../../scripts/support/serviceProcess';

/** A service with the demo fleet that tests can kill and restart with the same data and URL. */
export class RestartableService {
  private constructor(
    private readonly folder: DemoFolder,
    private readonly port: number,
    /** The current process. */
    public process: ServiceProcess,
  ) {}

  static async start(): Promise<RestartableService> {
    const folder = new DemoFolder();
    const port = await freePort();
    try {
      return new RestartableService(folder, port, await folder.start(port));
    } catch (error) {
      folder.remove();
      throw error;
    }
  }

  /** File with the first owner's key, which stays the same after a restart. */
  get credentialsFile(): string {
    return this.process.credentialsFile;
  }

  /** Kills the process immediately, as in a power failure. */
  async kill(): Promise<void> {
    const { pid, ended } = this.process;
    process.kill(pid, 'SIGKILL');
    await ended;
  }

  async startAgain(): Promise<void> {
    this.process = await this.folder.start(this.port);
  }

  async stop(): Promise<void> {
    try {
      await this.process.stop();
    } finally {
      this.folder.remove();
    }
  }
}
