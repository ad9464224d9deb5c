import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { FleetError } from '../../../core/api/errors';
import { CaptureBrowse } from '../../../core/data/captureBrowse';
import type { ConnectionId } from '../../../core/model/ids';
import type { Clock } from '../../../core/ports';
import type { BinaryChange } from '../../../core/stores/binaryDataStore';
import type { ReadingsChange } from '../../../core/stores/readingsStore';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { DataFilter } from '../../../shared/data/dataFilter';
import type { SessionProvider } from '../../platform/sessionProvider';
import { locationsInside, toCaptureFilter } from './filter/toCaptureFilter';

/** Applied filter. */
export interface Applied {
  /** Number that identifies this use of a filter; incremented each time a filter is applied. */
  readonly generation: number;
  readonly filter: DataFilter;
  readonly browse: CaptureBrowse;
  /** Stores that were in use when the filter was applied. */
  readonly stores: FleetStores;
}

export interface DataSessionOptions {
  readonly sessions: SessionProvider;
  readonly clock: Clock;
}

/** A panel's filter and its matches, independent of webviews. */
export class DataSession extends Disposable {
  private readonly appliedEmitter = this.register(new Emitter<Applied>());
  /** Fires when another filter has been applied. Earlier results are then outdated. */
  readonly onDidApply = this.appliedEmitter.event;
  private readonly signedOutEmitter = this.register(new Emitter<void>());
  /** Fires when the connection is signed out. Nothing can be read until it is signed in again. */
  readonly onDidSignOut = this.signedOutEmitter.event;
  private readonly changedEmitter = this.register(new Emitter<BinaryChange>());
  /** Fires when items in the connection are changed in this window. */
  readonly onDidChangeData = this.changedEmitter.event;
  private readonly readingsEmitter = this.register(new Emitter<ReadingsChange>());
  /** Fires when readings in the connection are added or deleted in this window. */
  readonly onDidChangeReadings = this.readingsEmitter.event;
  private readonly datasetsEmitter = this.register(new Emitter<void>());
  /** Fires when datasets in the connection have changed, for example when one was renamed. */
  readonly onDidChangeDatasets = this.datasetsEmitter.event;

  private applied: Applied | undefined;
  private generation = 0;
  /** Number of requests. The last request wins, regardless of how long its preparation takes. */
  private requestCount = 0;

  constructor(
    readonly connectionId: ConnectionId,
    private requestedFilter: DataFilter,
    private readonly options: DataSessionOptions,
  ) {
    super();
    this.register({ dispose: () => this.applied?.browse.dispose() });
    const stores = options.sessions.lastingStores(connectionId);
    this.register(stores.onDidSignIn(() => this.resume()));
    this.register(
      stores.onDidSignOut(() => {
        // A filter that is being applied must not replace the signed-out state.
        if (this.requestCount > 0) this.requestCount += 1;
        this.end();
        this.signedOutEmitter.fire();
      }),
    );
    this.register(stores.binaryData.onDidChange((change) => this.changedEmitter.fire(change)));
    this.register(stores.datasets.onDidChange(() => this.datasetsEmitter.fire()));
    this.register(stores.readings.onDidChange((change) => this.readingsEmitter.fire(change)));
  }

  get filter(): DataFilter {
    return this.requestedFilter;
  }

  /**
   * Returns the current connection's stores. Throws `unauthenticated` if the connection is signed
   * out.
   */
  get stores(): FleetStores {
    return this.options.sessions.stores(this.connectionId);
  }

  get isSignedIn(): boolean {
    return this.options.sessions.connection(this.connectionId) !== undefined;
  }

  /** True if a filter is applied. */
  get isAtWork(): boolean {
    return this.applied !== undefined;
  }

  /** Returns the applied filter. Throws `conflict` if no filter has been applied. */
  get current(): Applied {
    if (!this.applied) throw createStaleFilterError();
    return this.applied;
  }

  /**
   * Returns the applied filter with this number. Throws `conflict` if another filter has been
   * applied since.
   */
  of(generation: number): Applied {
    if (this.applied?.generation !== generation) throw createStaleFilterError();
    return this.applied;
  }

  /**
   * Applies a filter, by default the current one. Resolves when the filter is applied or another
   * filter has been requested.
   */
  async apply(filter: DataFilter = this.requestedFilter): Promise<void> {
    this.requestedFilter = filter;
    const requestNumber = ++this.requestCount;
    if (!this.isSignedIn) {
      this.signedOutEmitter.fire();
      return;
    }
    const { stores } = this;
    const now = this.options.clock.now().getTime();
    const locations = filter.locations.length > 0 ? await locationsInside(stores, filter) : [];
    if (requestNumber !== this.requestCount || this.isDisposed) return;
    this.end();
    this.generation += 1;
    const { generation } = this;
    const browse = new CaptureBrowse(stores, toCaptureFilter(filter, now, locations));
    this.applied = { generation, filter, browse, stores };
    this.appliedEmitter.fire(this.applied);
  }

  /**
   * Applies the filter after a sign-in. Before the page exists, there is nothing to refresh. The page
   * applies the filter when it starts.
   */
  private resume(): void {
    if (this.requestCount > 0) void this.apply();
  }

  private end(): void {
    this.applied?.browse.dispose();
    this.applied = undefined;
  }
}

/**
 * Returns the error for a request that refers to an outdated filter. The webview retries
 * automatically, so the error is never displayed.
 */
function createStaleFilterError(): FleetError {
  return new FleetError('conflict', 'Another filter is now in use.');
}
