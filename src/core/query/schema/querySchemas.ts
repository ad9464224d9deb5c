import { untilAborted } from '../../../base/cancellation';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import type { ConnectionId, OrganizationId } from '../../model/ids';
import type { Clock } from '../../ports';
import type { QuerySource } from '../querySource';
import { type QuerySchema, UNSAMPLED_SCHEMA } from './querySchema';

/** Whose readings are asked. */
export interface QueriedOrganization {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
}

/** Readings come with further fields now and then. */
const FRESH_MS = 5 * 60_000;
/** Where nothing is stored yet, something may be at any moment. */
const EMPTY_MS = 10_000;
/** A key that may not ask will not be let in within a minute. */
const AGAIN_MS = 60_000;
const DEADLINE_MS = 15_000;

interface Known {
  schema: QuerySchema;
  /** When it is looked at again, in milliseconds since 1970. */
  until: number;
  underWay: Promise<void> | undefined;
}

/**
 * What is known of the readings of each organization. It is sampled when it is first asked for and now and then
 * afterwards; anyone who asks gets what is known at once.
 */
export class QuerySchemas extends Disposable {
  private readonly known = new Map<string, Known>();
  private readonly ended = new AbortController();
  private readonly changed = this.register(new Emitter<QueriedOrganization>());
  /** More is known of the readings of an organization. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly sourceOf: (connectionId: ConnectionId) => QuerySource,
    private readonly clock: Clock,
  ) {
    super();
    this.register({ dispose: () => this.ended.abort() });
  }

  /** What is known now. Asks for more in the background when that is little or old. */
  get(of: QueriedOrganization | undefined): QuerySchema {
    if (of === undefined) return UNSAMPLED_SCHEMA;
    const known = this.entry(of);
    void this.refresh(of, known);
    return known.schema;
  }

  /** Waits for the first sample, at most until the signal aborts. Never fails: then little is known. */
  async load(of: QueriedOrganization | undefined, signal: AbortSignal): Promise<QuerySchema> {
    if (of === undefined) return UNSAMPLED_SCHEMA;
    const known = this.entry(of);
    const refreshed = this.refresh(of, known);
    if (!known.schema.isSampled && refreshed) {
      await untilAborted(refreshed, signal).catch(() => undefined);
    }
    return known.schema;
  }

  private entry({ connectionId, organizationId }: QueriedOrganization): Known {
    const key = `${connectionId}/${organizationId}`;
    const known = this.known.get(key) ?? {
      schema: UNSAMPLED_SCHEMA,
      until: 0,
      underWay: undefined,
    };
    this.known.set(key, known);
    return known;
  }

  private refresh(of: QueriedOrganization, known: Known): Promise<void> | undefined {
    if (this.now < known.until) return undefined;
    known.underWay ??= this.sample(of, known).finally(() => {
      known.underWay = undefined;
    });
    return known.underWay;
  }

  private async sample(of: QueriedOrganization, known: Known): Promise<void> {
    const source = this.reachedSource(of);
    // It is asked at once when it is signed in.
    if (!source) return;
    try {
      const { sampleReadings } = await import('./sampleReadings');
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
      // A key that may not read has queries written for others, and running one says why it cannot be.
      known.until = this.now + AGAIN_MS;
    }
  }

  /** Undefined while its connection is signed out. */
  private reachedSource({ connectionId }: QueriedOrganization): QuerySource | undefined {
    try {
      return this.sourceOf(connectionId);
    } catch {
      return undefined;
    }
  }

  private get now(): number {
    return this.clock.now().getTime();
  }
}
