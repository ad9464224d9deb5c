import { raceAbort } from '../../../base/cancellation';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import type { ConnectionId, OrganizationId } from '../../model/ids';
import type { Clock } from '../../ports';
import type { QuerySource } from '../querySource';
import { type QuerySchema, UNSAMPLED_SCHEMA } from './querySchema';

/** Organization whose readings are queried. */
export interface QueriedOrganization {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
}

/**
 * Time in milliseconds after which readings are sampled again. New readings can have additional
 * fields.
 */
const FRESH_MS = 5 * 60_000;
/**
 * Time in milliseconds after which an organization without readings is sampled again. The first
 * reading can arrive at any time.
 */
const EMPTY_MS = 10_000;
/**
 * Time in milliseconds before a retry. A key without permission is unlikely to get permission
 * sooner.
 */
const AGAIN_MS = 60_000;
const DEADLINE_MS = 15_000;

interface Known {
  schema: QuerySchema;
  /** Time at which the next sample is due, in milliseconds since 1970. */
  until: number;
  inProgress: Promise<void> | undefined;
}

/**
 * Caches the schema for each organization's readings. Samples readings on the first request and
 * periodically afterward. Callers get the cached schema immediately.
 */
export class QuerySchemas extends Disposable {
  private readonly known = new Map<ConnectionId, Map<OrganizationId, Known>>();
  private readonly ended = new AbortController();
  private readonly changed = this.register(new Emitter<QueriedOrganization>());
  /** Fires when the schema for an organization's readings changes. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly getSource: (connectionId: ConnectionId) => QuerySource,
    private readonly clock: Clock,
  ) {
    super();
    this.register({ dispose: () => this.ended.abort() });
  }

  /**
   * Returns the cached schema. If it is missing or outdated, samples readings in the background.
   */
  get(of: QueriedOrganization | undefined): QuerySchema {
    if (of === undefined) return UNSAMPLED_SCHEMA;
    const known = this.entry(of);
    void this.refresh(of, known);
    return known.schema;
  }

  /**
   * Waits for the first sample or until the signal aborts. Never throws. If sampling fails, the
   * schema is minimal.
   */
  async load(of: QueriedOrganization | undefined, signal: AbortSignal): Promise<QuerySchema> {
    if (of === undefined) return UNSAMPLED_SCHEMA;
    const known = this.entry(of);
    const refreshed = this.refresh(of, known);
    if (!known.schema.isSampled && refreshed) {
      await raceAbort(refreshed, signal).catch(() => undefined);
    }
    return known.schema;
  }

  /** Clears a connection's schemas, which are sampled again on the next request. */
  clear(connectionId: ConnectionId): void {
    this.known.delete(connectionId);
  }

  private entry({ connectionId, organizationId }: QueriedOrganization): Known {
    const ofConnection = this.known.get(connectionId) ?? new Map<OrganizationId, Known>();
    this.known.set(connectionId, ofConnection);
    const known = ofConnection.get(organizationId) ?? {
      schema: UNSAMPLED_SCHEMA,
      until: 0,
      inProgress: undefined,
    };
    ofConnection.set(organizationId, known);
    return known;
  }

  private refresh(of: QueriedOrganization, known: Known): Promise<void> | undefined {
    if (this.now < known.until) return undefined;
    known.inProgress ??= this.sample(of, known).finally(() => {
      known.inProgress = undefined;
    });
    return known.inProgress;
  }

  private async sample(of: QueriedOrganization, known: Known): Promise<void> {
    const source = this.reachedSource(of);
    // Sampling starts when the user signs in to the connection.
    if (!source) return;
    try {
      const { sampleReadings } = await import('./sampledSchema');
      const { sampledSchema } = await import('./sampledSchema');
      const signal = AbortSignal.any([this.ended.signal, AbortSignal.timeout(DEADLINE_MS)]);
      const readings = await sampleReadings(source, of.organizationId, this.now, signal);
      if (readings.length === 0) {
        known.until = this.now + EMPTY_MS;
        return;
      }
      known.schema = sampledSchema(readings);
      known.until = this.now + FRESH_MS;
      this.changed.fire(of);
    } catch {
      // A user without permission can still write queries for other users. The reason is reported
      // when a query runs.
      known.until = this.now + AGAIN_MS;
    }
  }

  /** Returns the query source; undefined while the user is signed out of the connection. */
  private reachedSource({ connectionId }: QueriedOrganization): QuerySource | undefined {
    try {
      return this.getSource(connectionId);
    } catch {
      return undefined;
    }
  }

  private get now(): number {
    return this.clock.now().getTime();
  }
}
