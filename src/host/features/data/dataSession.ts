import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { FleetError } from '../../../core/api/errors';
import { CaptureBrowse } from '../../../core/data/captureBrowse';
import type { ConnectionId } from '../../../core/model/ids';
import type { Clock } from '../../../core/ports';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { DataFilter } from '../../../shared/data/dataFilter';
import type { SessionProvider } from '../../platform/sessionProvider';
import { captureFilterOf } from './filter/captureFilterOf';

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
  /** A filter is at work anew; what was read before is out of date. */
  readonly onDidApply = this.appliedEmitter.event;
  private applied: Applied | undefined;

  constructor(
    readonly connectionId: ConnectionId,
    private wanted: DataFilter,
    private readonly options: DataSessionOptions,
  ) {
    super();
    this.register({ dispose: () => this.applied?.browse.dispose() });
  }

  get filter(): DataFilter {
    return this.wanted;
  }

  /** Those of the connection now. Throws `unauthenticated` when it is signed out. */
  get stores(): FleetStores {
    return this.options.sessions.stores(this.connectionId);
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

  /** Looks at what a filter selects; without one, at the same anew. */
  apply(filter: DataFilter = this.wanted): void {
    const { stores } = this;
    this.applied?.browse.dispose();
    this.wanted = filter;
    const generation = (this.applied?.generation ?? 0) + 1;
    const browse = new CaptureBrowse(
      stores,
      captureFilterOf(filter, this.options.clock.now().getTime()),
    );
    this.applied = { generation, filter, browse, stores };
    this.appliedEmitter.fire(this.applied);
  }
}

/** The webview asks again by itself: nobody sees this. */
function outOfDate(): FleetError {
  return new FleetError('conflict', 'Another filter is at work by now.');
}
