import { readFile } from 'node:fs/promises';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { FleetError, toFleetError } from '../../../core/api/errors';
import type { Connection } from '../../../core/model/connection';
import { parseCredentialsFile } from '../../../core/model/credentials';
import type { Logger } from '../../../core/ports';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { WhenReady } from '../../../core/sessions/fleetSession';
import type { LocalFleetStatus } from '../../platform/localFleetStatus';
import type { launchService, LaunchOptions, ReadyService } from './launchService';
import { RestartNote } from './restartNote';
import type { ServiceLease } from './serviceLease';
import { endProcess, processEnd, readServiceProcess } from './serviceProcess';

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

const STOP_TIMEOUT_MS = 10_000;

/**
 * The fleet service on this machine, shared by all windows: started by its first use, and ended by
 * itself when the last window has let go of its lease. Where one window restarts it, the others wait
 * and go on.
 */
export class LocalFleet extends Disposable implements LocalFleetStatus {
  private readonly changed = this.register(new Emitter<LocalFleetChange>());
  readonly onDidChange = this.changed.event;
  private current: LocalFleetState = 'unused';
  private starting: Promise<Connection> | undefined;
  private lease: ServiceLease | undefined;
  /** Whether it has run since it was stopped the last time, so that something may show it. */
  private wasUp = false;
  private readonly restartNote = new RestartNote(() => this.dataDirectory);

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

  get isRunning(): boolean {
    return this.current === 'running';
  }

  /** Another window, or an older setting, may have started it otherwise than it is now to be. */
  async runsScripts(): Promise<boolean> {
    const { dataDirectory, allowsScripts } = this.options.launchOptions();
    const found = allowsScripts ? await readServiceProcess(dataDirectory) : undefined;
    return found?.isServing === true && found.allowsScripts;
  }

  /** Calls to a local fleet wait for it. One that was stopped on purpose is not started again. */
  readonly whenReady: WhenReady = async ({ kind }) => {
    if (kind !== 'local' || this.current === 'running') return;
    if (this.current === 'unused' || this.current === 'starting') {
      await this.ready();
      return;
    }
    throw notRunning();
  };

  /** Starts the service, or shares the one that runs, and works with it. Throws `FleetError`. */
  async start(): Promise<Connection> {
    const connection = await this.ready();
    await this.store().activate(connection.id);
    return connection;
  }

  /**
   * Ends a service that runs and starts it again, as it is now to be. Calls wait for it. One that does not
   * run is so when it is started the next time. Throws `FleetError`.
   */
  async restart(): Promise<void> {
    await this.starting?.catch(() => undefined);
    if (this.current !== 'running') return;
    await this.track(this.begin(this.relaunch()));
  }

  /** Stops the service for all windows. What it keeps stays. */
  async stop(): Promise<void> {
    await this.starting?.catch(() => undefined);
    const found = await readServiceProcess(this.dataDirectory);
    if (!this.lease || !found) {
      this.setState('stopped');
      return;
    }
    this.setState('stopping');
    const { ended } = this.lease;
    endProcess(found.pid);
    await withTimeout(ended, STOP_TIMEOUT_MS);
    this.setState('stopped');
  }

  override dispose(): void {
    this.lease?.dispose();
    super.dispose();
  }

  private get dataDirectory(): string {
    return this.options.launchOptions().dataDirectory;
  }

  private ready(): Promise<Connection> {
    return this.starting ?? this.track(this.run());
  }

  /** Calls wait for what is under way. */
  private track(starting: Promise<Connection>): Promise<Connection> {
    this.starting = starting.finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  private async run(): Promise<Connection> {
    if (!this.isClaimed()) return this.begin(this.launch());
    const connection = await this.connect(await this.launch());
    if (!(await this.isAccepted(connection))) return this.begin(this.replace());
    // It may have ended in the meantime, and be another one.
    return this.isClaimed() ? connection : this.begin(this.launch());
  }

  private isClaimed(): boolean {
    return this.current === 'running' && this.lease !== undefined;
  }

  private async begin(service: Promise<ReadyService>): Promise<Connection> {
    this.setState('starting');
    try {
      return await this.join(service);
    } catch (error) {
      this.setState('stopped');
      throw toFleetError(error);
    }
  }

  /** Signs in to a service, and claims it for this window. */
  private async join(service: Promise<ReadyService>): Promise<Connection> {
    let connection = await this.connect(await service);
    if (!(await this.isAccepted(connection))) {
      connection = await this.connect(await this.replace());
    }
    await this.holdLease(connection);
    this.setState('running');
    return connection;
  }

  private replace(): Promise<ReadyService> {
    this.options.logger.info('restarting the service because its key was deleted');
    return this.relaunch();
  }

  /**
   * Ends the service and starts one: with a key that works, or with other wishes. Where another window does
   * so just now, what it starts is as good.
   */
  private async relaunch(): Promise<ReadyService> {
    const relaunched = await this.restartNote.during(async () => {
      await this.endService();
      return this.launch();
    });
    return relaunched ?? this.launch();
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

  private async endService(): Promise<void> {
    const { lease } = this;
    this.lease = undefined;
    lease?.dispose();
    const found = await readServiceProcess(this.dataDirectory);
    if (!found) return;
    endProcess(found.pid);
    if (!(await processEnd(found.pid, STOP_TIMEOUT_MS))) throw stillRunning();
  }

  private launch(): Promise<ReadyService> {
    return this.options.launch(this.options.launchOptions());
  }

  /** Signs in, and leaves a window that works with another connection there. */
  private async connect({ url, credentialsFile }: ReadyService): Promise<Connection> {
    const credentials = parseCredentialsFile(await readFile(credentialsFile, 'utf8'));
    if (!credentials) {
      throw new FleetError('internal', `${credentialsFile} doesn't contain credentials.`);
    }
    const store = this.store();
    const { label } = this.options;
    const before = store.active;
    const connection = await store.remember({ ...credentials, baseUrl: url, label, kind: 'local' });
    // A data directory that was emptied has another key now: its old connection leads nowhere.
    for (const { id, kind } of store.connections) {
      if (kind === 'local' && id !== connection.id) await store.signOut(id);
    }
    if (before && !store.connection(before.id)) await store.activate(connection.id);
    return connection;
  }

  private async holdLease({ id, baseUrl }: Connection): Promise<void> {
    const { takeLease } = await import('./serviceLease');
    const lease = await takeLease(baseUrl, await this.store().session(id).getToken());
    if (this.isDisposed) {
      lease.dispose();
      return;
    }
    this.lease = lease;
    const found = await readServiceProcess(this.dataDirectory);
    void lease.ended.then(async () => {
      if (this.lease !== lease) return;
      this.lease = undefined;
      await this.starting?.catch(() => undefined);
      if (this.isClaimed() || this.current !== 'running' || this.isDisposed) return;
      // Anyone who has to know of a failure hears of it by the state.
      this.track(this.goOn(found?.pid)).catch(() => undefined);
    });
  }

  /**
   * The service has ended without this window having asked: goes on with the next one where another window
   * starts it.
   */
  private async goOn(ended: number | undefined): Promise<Connection> {
    try {
      if (!(await this.restartNote.isThere()) && !(await this.isServedAgain(ended))) {
        throw notRunning();
      }
      this.setState('starting');
      await this.restartNote.isGone();
      // One that another window has stopped in the meantime is not started again.
      if (!(await this.isServedAgain(ended))) throw notRunning();
      return await this.join(this.launch());
    } catch (error) {
      this.setState('stopped', true);
      throw toFleetError(error);
    }
  }

  private async isServedAgain(ended: number | undefined): Promise<boolean> {
    const found = await readServiceProcess(this.dataDirectory);
    return found?.isServing === true && found.pid !== ended;
  }

  private setState(state: LocalFleetState, unexpected = false): void {
    this.options.logger.info('state', { state, unexpected });
    this.current = state;
    this.changed.fire({ state, unexpected });
    if (state === 'stopped' && this.wasUp) this.readAgain();
    if (state === 'running' || state === 'stopped') this.wasUp = state === 'running';
  }

  /** Whatever shows the fleet finds out that it is gone. */
  private readAgain(): void {
    const store = this.store();
    for (const { id, kind } of store.connections) {
      if (kind === 'local') store.stores(id).refresh();
    }
  }
}

function notRunning(): FleetError {
  const message = 'The local fleet is not running. Start it again.';
  return new FleetError('unavailable', message, { action: 'startLocalFleet' });
}

function stillRunning(): FleetError {
  return new FleetError('unavailable', "The local fleet didn't stop in time. Try again.");
}

async function withTimeout(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(stillRunning());
    }, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
