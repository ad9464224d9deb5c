import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { FleetError, toFleetError } from '../../../core/api/errors';
import type { Connection } from '../../../core/model/connection';
import { parseCredentialsFile } from '../../../core/model/credentials';
import type { Logger } from '../../../core/ports';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { WhenReady } from '../../../core/sessions/fleetSession';
import type { launchService, LaunchOptions, ReadyService } from './launchService';
import { type ServiceLease, takeLease } from './serviceLease';

export type LocalFleetState = 'unused' | 'starting' | 'running' | 'stopping' | 'stopped';

export interface LocalFleetChange {
  readonly state: LocalFleetState;
  /** It ended without this window having asked: it failed, or another window stopped it. */
  readonly unexpected: boolean;
}

export interface LocalFleetOptions {
  readonly launch: typeof launchService;
  readonly launchOptions: () => LaunchOptions;
  /** What the connection is called. */
  readonly label: string;
  readonly logger: Logger;
}

const SERVICE_FILE = 'service.json';
const STOP_TIMEOUT_MS = 10_000;
const PROCESS_POLL_MS = 50;

/**
 * The fleet service on this machine, shared by all windows: started by its first use, and ended by
 * itself when the last window has let go of its lease.
 */
export class LocalFleet extends Disposable {
  private readonly changed = this.register(new Emitter<LocalFleetChange>());
  readonly onDidChange = this.changed.event;
  private current: LocalFleetState = 'unused';
  private starting: Promise<Connection> | undefined;
  private lease: ServiceLease | undefined;

  constructor(
    private readonly options: LocalFleetOptions,
    /** Late, because the store's sessions wait for this object. */
    private readonly store: () => ConnectionStore,
  ) {
    super();
  }

  get state(): LocalFleetState {
    return this.current;
  }

  /** Calls to a local fleet wait for it. One that was stopped on purpose is not started again. */
  readonly whenReady: WhenReady = async ({ kind }) => {
    if (kind !== 'local' || this.current === 'running') return;
    if (this.current === 'unused' || this.current === 'starting') {
      await this.start();
      return;
    }
    const message = 'The local fleet is not running. Start it again.';
    throw new FleetError('unavailable', message, { action: 'startLocalFleet' });
  };

  /** Starts the service, or shares the one that runs, and signs in. Throws `FleetError`. */
  start(): Promise<Connection> {
    this.starting ??= this.run().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /**
   * Ends a service that runs and starts it again, as it is now to be. Calls wait for it. One that does not
   * run is so when it is started the next time. Throws `FleetError`.
   */
  async restart(): Promise<void> {
    await this.starting?.catch(() => undefined);
    if (this.current !== 'running') return;
    this.setState('starting');
    this.starting = this.endService()
      .catch((error: unknown) => {
        this.setState('stopped');
        throw toFleetError(error);
      })
      .then(() => this.run())
      .finally(() => {
        this.starting = undefined;
      });
    await this.starting;
  }

  /** Stops the service for all windows. What it keeps stays. */
  async stop(): Promise<void> {
    await this.starting?.catch(() => undefined);
    const pid = await this.readPid();
    if (!this.lease || pid === undefined) {
      this.setState('stopped');
      return;
    }
    this.setState('stopping');
    const { ended } = this.lease;
    process.kill(pid, 'SIGTERM');
    await withTimeout(ended, STOP_TIMEOUT_MS);
    this.setState('stopped');
  }

  override dispose(): void {
    this.lease?.dispose();
    super.dispose();
  }

  private async run(): Promise<Connection> {
    if (this.current === 'running' && this.lease) {
      const connection = await this.connect(await this.launch());
      if (await this.isAccepted(connection)) return connection;
      this.options.logger.info('the service is started anew, because its key is gone');
      await this.endService();
    }
    this.setState('starting');
    try {
      let connection = await this.connect(await this.launch());
      if (!(await this.isAccepted(connection))) {
        this.options.logger.info('the service is started anew, because its key is gone');
        await this.endService();
        connection = await this.connect(await this.launch());
      }
      await this.holdLease(connection);
      this.setState('running');
      return connection;
    } catch (error) {
      this.setState('stopped');
      throw toFleetError(error);
    }
  }

  /** Whether the key of the credentials file works: it may have been deleted since the start. */
  private async isAccepted({ id }: Connection): Promise<boolean> {
    try {
      await this.store().session(id).getToken();
      return true;
    } catch (error) {
      if (toFleetError(error).kind === 'unauthenticated') return false;
      throw error;
    }
  }

  /** Ends the service, so that the next start makes one: with a key that works, or with other wishes. */
  private async endService(): Promise<void> {
    const { lease } = this;
    this.lease = undefined;
    lease?.dispose();
    const pid = await this.readPid();
    if (pid === undefined) return;
    process.kill(pid, 'SIGTERM');
    await withTimeout(processEnd(pid), STOP_TIMEOUT_MS);
  }

  private launch(): Promise<ReadyService> {
    return this.options.launch(this.options.launchOptions());
  }

  private async connect({ url, credentialsFile }: ReadyService): Promise<Connection> {
    const credentials = parseCredentialsFile(await readFile(credentialsFile, 'utf8'));
    if (!credentials) {
      throw new FleetError('internal', `${credentialsFile} does not hold credentials.`);
    }
    const store = this.store();
    const { label } = this.options;
    const connection = await store.signIn({ ...credentials, baseUrl: url, label, kind: 'local' });
    // A data directory that was emptied has another key now: its old connection leads nowhere.
    for (const { id, kind } of store.connections) {
      if (kind === 'local' && id !== connection.id) await store.signOut(id);
    }
    return connection;
  }

  private async holdLease({ id, baseUrl }: Connection): Promise<void> {
    const lease = await takeLease(baseUrl, await this.store().session(id).getToken());
    if (this.isDisposed) {
      lease.dispose();
      return;
    }
    this.lease = lease;
    void lease.ended.then(() => {
      if (this.lease !== lease) return;
      this.lease = undefined;
      const unexpected = this.current === 'running' && !this.isDisposed;
      if (unexpected) this.setState('stopped', true);
    });
  }

  private async readPid(): Promise<number | undefined> {
    const file = join(this.options.launchOptions().dataDirectory, SERVICE_FILE);
    try {
      const { pid } = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>;
      return typeof pid === 'number' ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  private setState(state: LocalFleetState, unexpected = false): void {
    const wasUp = this.current === 'running' || this.current === 'stopping';
    this.options.logger.info('state', { state, unexpected });
    this.current = state;
    this.changed.fire({ state, unexpected });
    if (state === 'stopped' && wasUp) this.readAgain();
  }

  /** Whatever shows the fleet finds out that it is gone. */
  private readAgain(): void {
    const store = this.store();
    for (const { id, kind } of store.connections) {
      if (kind === 'local') store.stores(id).refresh();
    }
  }
}

async function processEnd(pid: number): Promise<void> {
  while (isRunning(pid)) await setTimeoutPromise(PROCESS_POLL_MS);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function withTimeout(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new FleetError('unavailable', 'The local fleet did not stop in time.'));
    }, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
