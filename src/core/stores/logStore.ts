import { type FleetClients, withSignal } from '../api/fleetClients';
import type { Page } from '../model/entities';
import type { PartId } from '../model/ids';
import { type LogEntry, logEntryFromWire } from '../model/logEntry';
import { microsToTimestamp } from '../model/timestamp';

/**
 * Numbers in the API contract's enum `LogOrder`, whose generated code is loaded only with the first
 * call.
 */
const ORDERS = { oldestFirst: 1, newestFirst: 2 } as const;

export interface LogPageRequest {
  readonly part: PartId;
  /** Start of the time range, in microseconds since 1970. */
  readonly start?: number | undefined;
  /** End of the time range, exclusive. */
  readonly end?: number | undefined;
  readonly order: keyof typeof ORDERS;
  readonly limit: number;
  readonly pageToken?: string | undefined;
}

/** Past and live logs of parts. Caches nothing. */
export class LogStore {
  constructor(private readonly clients: FleetClients) {}

  /** Returns one page of a part's log. @throws FleetError */
  async page(request: LogPageRequest, signal?: AbortSignal): Promise<Page<LogEntry>> {
    const { part, start, end, order, limit, pageToken } = request;
    const answer = await this.clients.app.getRobotPartLogs(
      {
        id: part,
        order: ORDERS[order],
        limit: BigInt(limit),
        ...(start !== undefined && { start: microsToTimestamp(start) }),
        ...(end !== undefined && { end: microsToTimestamp(end) }),
        ...(pageToken && { pageToken }),
      },
      withSignal(signal),
    );
    return { items: answer.logs.map(logEntryFromWire), nextPageToken: answer.nextPageToken };
  }

  /**
   * Yields new log entries from a part until the signal aborts. The first batch can be empty. After
   * it arrives, no entries are missed.
   * @throws FleetError
   */
  async *tail(part: PartId, signal: AbortSignal): AsyncGenerator<readonly LogEntry[]> {
    // By default, the service sends only errors.
    const request = { id: part, errorsOnly: false };
    for await (const { logs } of this.clients.app.tailRobotPartLogs(request, { signal })) {
      yield logs.map(logEntryFromWire);
    }
  }
}
