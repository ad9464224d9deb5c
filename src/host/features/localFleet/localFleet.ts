import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { englishLocalizer, type Localizer } from '../../../base/localizer';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { FleetError, toFleetError } from '../../../core/api/errors';
import { type Connection, parseCredentialsFile } from '../../../core/model/connection';
import type { Logger } from '../../../core/ports';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { WhenReady } from '../../../core/api/connectionTransport';
import type { LocalFleetStatus } from '../../platform/featureInterfaces';
import type { LaunchOptions, launchService, ReadyService, ServiceLease } from './launchService';
import { endProcess, processEnd, readObject, readServiceProcess } from './serviceProcess';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isRunning } from '../../../processes/isRunning';

export type LocalFleetState = 'unused' | 'starting' | 'running' | 'stopping' | 'stopped';

export interface LocalFleetChange {
  readonly state: LocalFleetState;
  /**
   * True if this window didn't request the stop: the service failed, or another window stopped it.
   */
  readonly unexpected: boolean;
}

export interface LocalFleetOptions {
  readonly launch: typeof launchService;
  readonly launchOptions: () => LaunchOptions;
  /** Label of the connection. */
  readonly label: string;
  /** Localizer for error messages. */
  readonly l10n?: Localizer;
  readonly logger: Logger;
}

const STOP_TIMEOUT_MS = 10_000;

/**
 * Fleet service on this computer, shared by all windows. It is started on first use and stops when
 * the last window has released its lease. If one window restarts it, the other windows wait and
 * then continue.
 */
export class LocalFleet extends Disposable implements LocalFleetStatus {
  private readonly changed = this.register(new Emitter<LocalFleetChange>());
  readonly onDidChange = this.changed.event;
  private current: LocalFleetState = 'unused';
  private starting: Promise<Connection> | undefined;
  private lease: ServiceLease | undefined;
  /** True if the service has run since it was last stopped, so that views can show its data. */
  private wasUp = false;
  private readonly restartNote = new RestartNote(() => this.dataDirectory);

  constructor(
    private readonly options: LocalFleetOptions,
    /** A function instead of a value, because the store's sessions depend on this object. */
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

  /**
   * Returns true if the running service can run training scripts. Another window, or this window
   * with an earlier setting, might have started it with different options.
   */
  async runsScripts(): Promise<boolean> {
    const { dataDirectory, allowsScripts } = this.options.launchOptions();
    const found = allowsScripts ? await readServiceProcess(dataDirectory) : undefined;
    return found?.isServing === true && found.allowsScripts;
  }

  /**
   * Delays calls to a local fleet until the fleet is ready. Doesn't restart a fleet that a user has
   * stopped.
   */
  readonly whenReady: WhenReady = async ({ kind }) => {
    if (kind !== 'local' || this.current === 'running') return;
    if (this.current === 'unused' || this.current === 'starting') {
      await this.ready();
      return;
    }
    throw notRunning(this.options.l10n);
  };

  /**
   * Starts the service, or uses the running one, and makes its connection active. Throws
   * `FleetError`.
   */
  async start(): Promise<Connection> {
    const connection = await this.ready();
    await this.store().activate(connection.id);
    return connection;
  }

  /**
   * Restarts a running service with the current options; calls wait for the restart. If the service
   * isn't running, the options apply at its next start. Throws `FleetError`.
   */
  async restart(): Promise<void> {
    await this.starting?.catch(() => undefined);
    if (this.current !== 'running') return;
    await this.track(this.begin(this.relaunch()));
  }

  /** Stops the service for all windows. Its data is preserved. */
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
    await withTimeout(ended, STOP_TIMEOUT_MS, this.options.l10n);
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

  /** Delays calls until the start in progress is complete. */
  private track(starting: Promise<Connection>): Promise<Connection> {
    this.starting = starting.finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  private async run(): Promise<Connection> {
    if (!this.isClaimed()) return this.begin(this.launch());
    const service = await this.launch();
    const connection = await this.connect(service);
    if (await this.mustReplace(service, connection)) return this.begin(this.relaunch());
    // The service might have been stopped and replaced by another one in the meantime.
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

  private async join(service: Promise<ReadyService>): Promise<Connection> {
    const ready = await service;
    try {
      return await this.use(ready);
    } catch (error) {
      if (toFleetError(error).kind !== 'unavailable') throw error;
      // The service was ready, but stopped before this window had a lease, for example because it
      // was unused for too long while the window reloaded.
      this.options.logger.info('starting the service again because it stopped');
      return await this.use(await this.launch());
    }
  }

  /** Signs in to a service and obtains a lease for this window. */
  private async use(service: ReadyService): Promise<Connection> {
    let connection = await this.connect(service);
    if (await this.mustReplace(service, connection)) {
      connection = await this.connect(await this.relaunch());
    }
    await this.acquireLease(connection);
    this.setState('running');
    return connection;
  }

  /** Returns true if the running service can't be used. */
  private async mustReplace(
    { isOutdated }: ReadyService,
    connection: Connection,
  ): Promise<boolean> {
    const { logger } = this.options;
    if (isOutdated) {
      logger.info('restarting the service because it is of an older version');
      return true;
    }
    if (await this.isAccepted(connection)) return false;
    logger.info('restarting the service because its key was deleted');
    return true;
  }

  /**
   * Stops the service and starts a new one, with a valid key, other options, or a newer version. If another window is
   * already restarting the service, uses the service that the other window starts.
   */
  private async relaunch(): Promise<ReadyService> {
    const relaunched = await this.restartNote.during(async () => {
      await this.endService();
      return this.launch();
    });
    return relaunched ?? this.launch();
  }

  /**
   * Checks whether the key in the credentials file is valid. The key might have been deleted since
   * the service started.
   */
  private async isAccepted({ id }: Connection): Promise<boolean> {
    try {
      await this.store().session(id).getTokenNow();
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
    if (!(await processEnd(found.pid, STOP_TIMEOUT_MS))) throw stillRunning(this.options.l10n);
  }

  private launch(): Promise<ReadyService> {
    const { l10n = englishLocalizer } = this.options;
    return this.options.launch(this.options.launchOptions(), l10n);
  }

  /** Signs in without changing this window's active connection. */
  private async connect({ url, credentialsFile }: ReadyService): Promise<Connection> {
    const credentials = parseCredentialsFile(await readFile(credentialsFile, 'utf8'));
    if (!credentials) {
      const { l10n = englishLocalizer } = this.options;
      const message = l10n.t(
        'The file "{0}" doesn\'t contain the credentials of the local fleet. Delete it and start the local fleet again.',
        credentialsFile,
      );
      throw new FleetError('internal', message, { action: 'startLocalFleet' });
    }
    const store = this.store();
    const { label } = this.options;
    const before = store.active;
    const connection = await store.remember({ ...credentials, baseUrl: url, label, kind: 'local' });
    // If the data directory was emptied, the service has a new key and its previous connection is
    // invalid.
    for (const { id, kind } of store.connections) {
      if (kind === 'local' && id !== connection.id) await store.signOut(id);
    }
    if (before && !store.connection(before.id)) await store.activate(connection.id);
    return connection;
  }

  private async acquireLease({ id, baseUrl }: Connection): Promise<void> {
    const { takeLease } = await import('./launchService');
    const token = await this.store().session(id).getTokenNow();
    const lease = await takeLease(baseUrl, token, this.options.l10n);
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
      // It took longer to stop than `stop` waits.
      if (this.current === 'stopping') this.setState('stopped');
      if (this.isClaimed() || this.current !== 'running' || this.isDisposed) return;
      // The fleet's state reports failures.
      this.track(this.handleServiceExit(found?.pid)).catch(() => undefined);
    });
  }

  /**
   * Handles the service's exit if this window didn't request it. Uses the next service if another
   * window starts one.
   */
  private async handleServiceExit(ended: number | undefined): Promise<Connection> {
    try {
      if (!(await this.restartNote.isThere()) && !(await this.isServedAgain(ended))) {
        throw notRunning(this.options.l10n);
      }
      this.setState('starting');
      await this.restartNote.waitUntilRemoved();
      // If another window has since stopped the service, it must not be started again.
      if (!(await this.isServedAgain(ended))) throw notRunning(this.options.l10n);
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

  /** Refreshes the fleet's views to show that the service has stopped. */
  private readAgain(): void {
    const store = this.store();
    for (const { id, kind } of store.connections) {
      if (kind === 'local') store.stores(id).refresh();
    }
  }
}

function notRunning(l10n = englishLocalizer): FleetError {
  const message = l10n.t('The local fleet is not running. Start it again.');
  return new FleetError('unavailable', message, { action: 'startLocalFleet' });
}

function stillRunning(l10n = englishLocalizer): FleetError {
  return new FleetError('unavailable', l10n.t("The local fleet didn't stop in time. Try again."));
}

async function withTimeout(
  work: Promise<void>,
  milliseconds: number,
  l10n: Localizer | undefined,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(stillRunning(l10n));
    }, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const FILE_NAME = 'restart.json';
const POLL_MS = 100;
/** Maximum age of a marker in milliseconds. A service takes less time to stop and start again. */
const MAX_AGE_MS = 90_000;

/**
 * Marker file next to the service's data. It is created by a window that restarts the service, so
 * that other windows wait for the restart.
 */
export class RestartNote {
  constructor(private readonly dataDirectory: () => string) {}

  private get file(): string {
    return join(this.dataDirectory(), FILE_NAME);
  }

  /**
   * Runs work that stops and restarts the service, while the marker file exists. If another window
   * is already doing the same work, waits for it instead; otherwise, each window would stop the
   * service that the other window started.
   *
   * @returns undefined if another window has completed the work
   */
  async during<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.take())) {
      await this.waitUntilRemoved();
      return undefined;
    }
    try {
      return await work();
    } finally {
      await rm(this.file, { force: true }).catch(() => undefined);
    }
  }

  /** @returns false if another window's marker exists. */
  private async take(): Promise<boolean> {
    const note = JSON.stringify({ pid: process.pid });
    try {
      // If windows create the file concurrently, only one of them succeeds.
      await writeFile(this.file, note, { flag: 'wx' });
    } catch {
      if (await this.isThere()) return false;
      // The restart continues even without the marker. Other windows then report that the service
      // has stopped.
      await writeFile(this.file, note).catch(() => undefined);
    }
    return true;
  }

  /**
   * Returns true if a window is currently restarting the service. Ignores a marker from a window
   * that no longer exists.
   */
  async isThere(): Promise<boolean> {
    const { pid } = await readObject(this.file);
    if (typeof pid !== 'number' || !isRunning(pid)) return false;
    const written = await stat(this.file).catch(() => undefined);
    return written !== undefined && Date.now() - written.mtimeMs < MAX_AGE_MS;
  }

  /** Resolves when no window is restarting the service. */
  async waitUntilRemoved(): Promise<void> {
    while (await this.isThere()) await setTimeoutPromise(POLL_MS);
  }
}
