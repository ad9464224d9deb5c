import { Disposable, DisposableSet } from '../../../base/disposable';
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
import { captureFilterOf } from './filter/captureFilterOf';
import { locationsInside } from './filter/locationsInside';

/** A filter at work. */
export interface Applied {
  /** Names this application; one more each time. */
  readonly generation: number;
  readonly filter: DataFilter;
  readonly browse: CaptureBrowse;
  /** Those that the filter was applied with. */
  readonly stores: FleetStores;
}

export interface DataSessionOptions {
  readonly sessions: SessionProvider;
  readonly clock: Clock;
}

/** What one panel looks at: a filter, and what it selects. Knows nothing of webviews. */
export class DataSession extends Disposable {
  private readonly appliedEmitter = this.register(new Emitter<Applied>());
  /** Another filter applies; what was read before is out of date. */
  readonly onDidApply = this.appliedEmitter.event;
  private readonly signedOutEmitter = this.register(new Emitter<void>());
  /** The connection is signed out: nothing can be read until it is signed in again. */
  readonly onDidSignOut = this.signedOutEmitter.event;
  private readonly changedEmitter = this.register(new Emitter<BinaryChange>());
  /** Items of the connection were changed through this window. */
  readonly onDidChangeData = this.changedEmitter.event;
  private readonly readingsEmitter = this.register(new Emitter<ReadingsChange>());
  /** Readings of the connection came or went through this window. */
  readonly onDidChangeReadings = this.readingsEmitter.event;

  private applied: Applied | undefined;
  private generation = 0;
  /** Counts what was asked for: the last one wins, however long it takes to prepare. */
  private asked = 0;
  private known: FleetStores | undefined;
  private following = this.register(new DisposableSet());

  constructor(
    readonly connectionId: ConnectionId,
    private wanted: DataFilter,
    private readonly options: DataSessionOptions,
  ) {
    super();
    this.register({ dispose: () => this.applied?.browse.dispose() });
    this.register(options.sessions.onDidChangeConnections(() => this.followSignIn()));
    this.follow();
  }

  get filter(): DataFilter {
    return this.wanted;
  }

  /** Those of the connection now. Throws `unauthenticated` when it is signed out. */
  get stores(): FleetStores {
    return this.options.sessions.stores(this.connectionId);
  }

  get isSignedIn(): boolean {
    return this.options.sessions.connection(this.connectionId) !== undefined;
  }

  /** Whether a filter is at work. */
  get isAtWork(): boolean {
    return this.applied !== undefined;
  }

  /** What is looked at now. Throws `conflict` before the first filter. */
  get current(): Applied {
    if (!this.applied) throw outOfDate();
    return this.applied;
  }

  /** What one application of a filter selects. Throws `conflict` when another one is at work by now. */
  of(generation: number): Applied {
    if (this.applied?.generation !== generation) throw outOfDate();
    return this.applied;
  }

  /**
   * Looks at what a filter selects; without one, at the same again. Resolves when it is at work, or another
   * one was asked for in the meantime.
   */
  async apply(filter: DataFilter = this.wanted): Promise<void> {
    this.wanted = filter;
    const asked = ++this.asked;
    if (!this.isSignedIn) {
      this.signedOutEmitter.fire();
      return;
    }
    const { stores } = this;
    const now = this.options.clock.now().getTime();
    const locations = filter.locations.length > 0 ? await locationsInside(stores, filter) : [];
    if (asked !== this.asked || this.isDisposed) return;
    this.end();
    this.generation += 1;
    const { generation } = this;
    const browse = new CaptureBrowse(stores, captureFilterOf(filter, now, locations));
    this.applied = { generation, filter, browse, stores };
    this.appliedEmitter.fire(this.applied);
  }

  private followSignIn(): void {
    if (!this.follow()) return;
    if (this.known) {
      // Before the page is there nobody looks: it begins by itself.
      if (this.asked > 0) void this.apply();
      return;
    }
    this.end();
    this.signedOutEmitter.fire();
  }

  /** Listens to the stores of the connection. @returns whether they are others. */
  private follow(): boolean {
    const stores = this.isSignedIn ? this.stores : undefined;
    if (stores === this.known) return false;
    this.known = stores;
    this.release(this.following);
    this.following = this.register(new DisposableSet());
    if (stores) {
      this.following.add(
        stores.binaryData.onDidChange((change) => this.changedEmitter.fire(change)),
      );
      this.following.add(
        stores.readings.onDidChange((change) => this.readingsEmitter.fire(change)),
      );
    }
    return true;
  }

  private end(): void {
    this.applied?.browse.dispose();
    this.applied = undefined;
  }
}

/** The webview asks again by itself: nobody sees this. */
function outOfDate(): FleetError {
  return new FleetError('conflict', 'Another filter is now in use.');
}
