import { FleetError } from '../api/errors';
import type { FleetClients } from '../api/fleetClients';
import { documentsIn, type FleetQuery } from '../model/query';
import type { QueryRequest } from './toQueryRequest';

/** Source of results for queries about readings. */
export interface QuerySource {
  /**
   * Yields a query's rows as they arrive, in batches of BSON documents. Requests the next batch
   * when the previous one has been consumed. The query ends when the iteration ends or the signal
   * aborts.
   * @throws QueryError if the query is invalid, and other `FleetError`s.
   */
  run(query: FleetQuery, signal: AbortSignal): AsyncIterable<readonly Uint8Array[]>;
}

/**
 * Deadline in milliseconds. It is long because, without streaming, the response arrives only when
 * it is complete.
 */
const UNARY_DEADLINE_MS = 5 * 60_000;
const UNARY_BATCH_ROWS = 500;

/**
 * Runs queries on a fleet service. Streams results if the service supports streaming. Other
 * services, such as the public cloud, return results in one message of limited size.
 */
export class WireQuerySource implements QuerySource {
  private isStreaming = true;

  constructor(private readonly clients: FleetClients) {}

  async *run(query: FleetQuery, signal: AbortSignal): AsyncGenerator<readonly Uint8Array[]> {
    const { toQueryRequest: createRequest } = await import('./toQueryRequest');
    const request = createRequest(query, this.clients.l10n);
    const left = new AbortController();
    try {
      yield* this.runRequest(request, AbortSignal.any([signal, left.signal]));
    } catch (error) {
      throw request.failure(error);
    } finally {
      left.abort();
    }
  }

  private async *runRequest(
    request: QueryRequest,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Uint8Array[]> {
    // If the token is rejected, the second attempt uses a new token.
    for (const isLast of [false, true]) {
      let hasBegun = false;
      try {
        if (!this.isStreaming) break;
        for await (const batch of streamed(this.clients, request, signal)) {
          hasBegun = true;
          yield batch;
        }
        return;
      } catch (error) {
        const kind = error instanceof FleetError && !hasBegun ? error.kind : undefined;
        if (kind === 'unsupported') break;
        if (kind !== 'unauthenticated' || isLast) throw error;
      }
    }
    const rows = await inOneMessage(this.clients, request, signal);
    // Streaming is known to be unsupported only if the service responds to this call. Otherwise,
    // the service might be unavailable.
    this.isStreaming = false;
    for (let start = 0; start < rows.length; start += UNARY_BATCH_ROWS) {
      yield rows.slice(start, start + UNARY_BATCH_ROWS);
    }
  }
}

async function* streamed(
  { queries }: FleetClients,
  { request }: QueryRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly Uint8Array[]> {
  for await (const { documents } of queries.streamTabularData(
    { query: request, exactValues: true },
    { signal },
  )) {
    const batch = documentsIn(documents);
    if (batch.length > 0) yield batch;
  }
}

async function inOneMessage(
  { data }: FleetClients,
  { request }: QueryRequest,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const options = { signal, timeoutMs: UNARY_DEADLINE_MS };
  const { rawData } =
    request.case === 'sql'
      ? await data.tabularDataBySQL(request.value, options)
      : await data.tabularDataByMQL(request.value, options);
  return rawData;
}
