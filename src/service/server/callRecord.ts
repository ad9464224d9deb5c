import { randomBytes } from 'node:crypto';
import { Code, createContextKey } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import type { HttpResponse } from './http';

/** Response header with the ID that identifies a call in the log. */
export const REQUEST_ID_HEADER = 'x-request-id';

const ID_BYTES = 8;

/** Creates an ID for log entries. Callers can quote this ID. */
export function makeRequestId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

/** Log record of a call, from the arrival of its headers to the end of its response. */
export class CallRecord {
  readonly id = makeRequestId();
  private readonly startedAt = performance.now();
  private code: Code | undefined;
  private isRead = false;

  private constructor(
    private readonly path: string,
    private readonly logger: Logger,
  ) {}

  /** Starts the record of a call and adds its ID to the response. */
  static start(path: string, response: HttpResponse, logger: Logger): CallRecord {
    const record = new CallRecord(path, logger);
    response.setHeader(REQUEST_ID_HEADER, record.id);
    return record;
  }

  /** Records that the request has been read and is being handled. */
  enter(): void {
    this.isRead = true;
  }

  /** Records the error of the call. Later errors are ignored. */
  fail(code: Code): void {
    this.code ??= code;
  }

  /**
   * Logs the call on one line. This is the only record of requests that the library rejects as
   * unreadable.
   */
  finish(): void {
    const code = this.code ?? (this.isRead ? undefined : Code.InvalidArgument);
    const ms = Math.round(performance.now() - this.startedAt);
    this.logger.trace('call', {
      ...{ id: this.id, method: this.path, ms },
      code: code === undefined ? 'Ok' : Code[code],
    });
  }
}

/** Context key of the call record for interceptors; undefined for in-process calls. */
export const callRecordKey = createContextKey<CallRecord | undefined>(undefined, {
  description: 'the record of the call',
});
