import { withSignal } from '../api/calls';
import type { LoadClients } from '../api/fleetClients';
import type { Page } from '../model/history';
import type { PartId } from '../model/ids';
import { type LogEntry, logEntryFromWire } from '../model/logEntry';
import { timestampOfMicros } from '../model/micros';

/** `LogOrder` of the contract, whose generated code is loaded with the first call, not before. */
const ORDERS = { oldestFirst: 1, newestFirst: 2 } as const;

export interface LogPageRequest {
  readonly part: PartId;
  /** Only lines at or after this time, in microseconds since 1970. */
  readonly start?: number | undefined;
  /** Only lines before this time. */
  readonly end?: number | undefined;
  readonly order: keyof typeof ORDERS;
  readonly limit: number;
  readonly pageToken?: string | undefined;
}

/** What parts logged, and what they log now. Nothing is kept here. */
export class LogStore {
  constructor(private readonly clients: LoadClients) {}

  /** One page of what a part logged. @throws FleetError */
  async page(request: LogPageRequest, signal?: AbortSignal): Promise<Page<LogEntry>> {
    const { part, start, end, order, limit, pageToken } = request;
    const { app } = await this.clients();
    const answer = await app.getRobotPartLogs(
      {
        id: part,
        order: ORDERS[order],
        limit: BigInt(limit),
        ...(start !== undefined && { start: timestampOfMicros(start) }),
        ...(end !== undefined && { end: timestampOfMicros(end) }),
        ...(pageToken && { pageToken }),
      },
      withSignal(signal),
    );
    return { items: answer.logs.map(logEntryFromWire), nextPageToken: answer.nextPageToken };
  }

  /**
   * What a part logs from now on, until the signal is aborted. The first batch may be empty: it says that
   * nothing that is logged after it is left out.
   * @throws FleetError
   */
  async *tail(part: PartId, signal: AbortSignal): AsyncGenerator<readonly LogEntry[]> {
    const { app } = await this.clients();
    // Without the word the service sends errors alone.
    const request = { id: part, errorsOnly: false };
    for await (const { logs } of app.tailRobotPartLogs(request, { signal })) {
      yield logs.map(logEntryFromWire);
    }
  }
}
