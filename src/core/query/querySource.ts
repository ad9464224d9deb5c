import { FleetError } from '../api/errors';
import type { FleetClients, LoadClients } from '../api/fleetClients';
import { documentsIn } from '../model/bsonDocuments';
import type { FleetQuery } from '../model/query';
import type { AskedQuery } from './askedQuery';

/** Answers questions about readings. */
export interface QuerySource {
  /**
   * The rows of a query as they come, in batches of BSON documents. The next are asked for when those before
   * are taken; the query ends with the iteration, and when the signal is aborted.
   * @throws QueryFault when the query cannot be answered as it is, and other `FleetError`s.
   */
  run(query: FleetQuery, signal: AbortSignal): AsyncIterable<readonly Uint8Array[]>;
}

/** Where answers come in one message, nothing is heard before it is complete. */
const UNARY_DEADLINE_MS = 5 * 60_000;
const UNARY_BATCH_ROWS = 500;

/**
 * Asks a fleet service. Answers are streamed where the service can do that, and come in one message from
 * others, as from the public cloud, which limits their size.
 */
export class WireQuerySource implements QuerySource {
  private isStreaming = true;

  constructor(private readonly clients: LoadClients) {}

  async *run(query: FleetQuery, signal: AbortSignal): AsyncGenerator<readonly Uint8Array[]> {
    const { askedQuery } = await import('./askedQuery');
    const asked = askedQuery(query);
    const left = new AbortController();
    try {
      yield* this.answer(asked, AbortSignal.any([signal, left.signal]));
    } catch (error) {
      throw asked.failure(error);
    } finally {
      left.abort();
    }
  }

  private async *answer(
    asked: AskedQuery,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Uint8Array[]> {
    const clients = await this.clients();
    // A token that was refused is exchanged for the second attempt.
    for (const isLast of [false, true]) {
      let hasBegun = false;
      try {
        if (!this.isStreaming) break;
        for await (const batch of streamed(clients, asked, signal)) {
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
    const rows = await inOneMessage(clients, asked, signal);
    // A service that does not answer this either lacks more than streams.
    this.isStreaming = false;
    for (let start = 0; start < rows.length; start += UNARY_BATCH_ROWS) {
      yield rows.slice(start, start + UNARY_BATCH_ROWS);
    }
  }
}

async function* streamed(
  { queries }: FleetClients,
  { request }: AskedQuery,
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
  { request }: AskedQuery,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const options = { signal, timeoutMs: UNARY_DEADLINE_MS };
  const { rawData } =
    request.case === 'sql'
      ? await data.tabularDataBySQL(request.value, options)
      : await data.tabularDataByMQL(request.value, options);
  return rawData;
}
