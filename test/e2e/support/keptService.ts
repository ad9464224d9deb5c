import { DemoFolder } from '../../../scripts/support/demoFleet';
import { freePort } from '../../../scripts/support/freePort';
import type { ServiceProcess } from '../../../scripts/support/serviceProcess';

/** A service with the demo fleet that can be killed and restarted with the same data at the same address. */
export class KeptService {
  private constructor(
    private readonly folder: DemoFolder,
    private readonly port: number,
    /** The process that runs now. */
    public process: ServiceProcess,
  ) {}

  static async start(): Promise<KeptService> {
    const folder = new DemoFolder();
    const port = await freePort();
    try {
      return new KeptService(folder, port, await folder.start(port));
    } catch (error) {
      folder.remove();
      throw error;
    }
  }

  /** File with the first owner's key, the same each time. */
  get credentialsFile(): string {
    return this.process.credentialsFile;
  }

  /** Ends the process immediately, as a power cut does. */
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
