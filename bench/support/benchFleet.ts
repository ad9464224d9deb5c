import type { Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import type { Capturer } from '../../src/service/store/data/dataScope';
import { type ServiceKey, signIn, withApp } from '../../test/support/serviceClients';
import { readJson, ServiceProgram, type ServiceRun } from '../../test/support/serviceProgram';
import { listChildProcesses, readMemory } from './processUsage';

/** A running service with one machine, on a separate data directory. */
export class BenchFleet implements AsyncDisposable {
  private constructor(
    private readonly program: ServiceProgram,
    private run: ServiceRun,
    /** Data directory of the service. */
    readonly directory: string,
    readonly key: ServiceKey & { organizationId: string },
    readonly part: Capturer,
    private session: Http2SessionManager,
    /** Headers for calls as the owner. */
    readonly headers: { authorization: string },
  ) {}

  static async start(): Promise<BenchFleet> {
    const program = await ServiceProgram.build();
    const directory = program.path();
    const run = program.serve('--data', directory);
    const key = await readCredentials(run);
    const part = await withApp(key, async (app) => {
      const { organizationId } = key;
      const { location } = await app.createLocation({ organizationId, name: 'Hall' });
      const { id } = await app.newRobot({ name: 'rover', location: location?.id ?? '' });
      const { parts } = await app.getRobotParts({ robotId: id });
      return {
        organization_id: organizationId,
        location_id: location?.id ?? '',
        robot_id: id,
        robot_name: 'rover',
        part_id: parts[0]?.id ?? '',
        part_name: parts[0]?.name ?? '',
      };
    });
    const headers = { authorization: `Bearer ${await signIn(key)}` };
    const session = new Http2SessionManager(key.url);
    return new BenchFleet(program, run, directory, key, part, session, headers);
  }

  get url(): string {
    return this.key.url;
  }

  /**
   * Path of the embedded store's database file. No other process writes to the file while the
   * service is stopped.
   */
  get databaseFile(): string {
    return `${this.directory}/fleet.db`;
  }

  /** Returns a gRPC transport over one HTTP/2 connection. */
  transport(): Transport {
    return createGrpcTransport({ baseUrl: this.url, sessionManager: this.session });
  }

  /** Stops the service, runs the work, and restarts the service on the same data. */
  async whileStopped(work: () => Promise<void>): Promise<void> {
    this.session.abort();
    this.run.child.kill('SIGTERM');
    await this.run.ended;
    await work();
    this.run = this.program.serve('--data', this.directory);
    Object.assign(this.key, await readCredentials(this.run));
    this.session = new Http2SessionManager(this.key.url);
  }

  /**
   * Returns the memory of the service in MiB: the current value, and the peak since the service
   * started. Works only on Linux.
   */
  memory(): { now: number; peak: number } {
    return readMemory(Number(this.run.child.pid));
  }

  /**
   * Returns the peak memory of the service and the query processes that it currently runs, in MiB.
   * Works only on Linux.
   */
  totalPeakMemory(): number {
    const pid = Number(this.run.child.pid);
    const peaks = [pid, ...listChildProcesses(pid)].map((id) => readMemory(id).peak);
    return peaks.reduce((sum, peak) => sum + peak, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.session.abort();
    await this.program[Symbol.asyncDispose]();
  }
}

async function readCredentials(run: ServiceRun): Promise<BenchFleet['key']> {
  const ready = await run.ready;
  if (ready === undefined) {
    throw new Error(`The service did not start: ${(await run.ended).stderr}`);
  }
  return readJson(ready.credentialsFile) as BenchFleet['key'];
}
