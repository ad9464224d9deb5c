import { randomBytes } from 'node:crypto';
import { Code, createContextKey } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import type { HttpResponse } from './http';

/** The response header with the ID under which a call is logged. */
export const REQUEST_ID_HEADER = 'x-request-id';

const ID_BYTES = 8;

/** Makes an ID under which something is logged and which its caller can quote. */
export function makeRequestId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

/** One call from its head to its answer, for the log. */
export class CallRecord {
  readonly id = makeRequestId();
  private readonly startedAt = performance.now();
  private code: Code | undefined;
  private isRead = false;

  private constructor(
    private readonly path: string,
    private readonly logger: Logger,
  ) {}

  /** Begins the record of a call and puts its ID into the answer. */
  static start(path: string, response: HttpResponse, logger: Logger): CallRecord {
    const record = new CallRecord(path, logger);
    response.setHeader(REQUEST_ID_HEADER, record.id);
    return record;
  }

  /** Notes that the request was read and is handled. */
  enter(): void {
    this.isRead = true;
  }

  /** Notes the error of the call. The first one counts. */
  fail(code: Code): void {
    this.code ??= code;
  }

  /** Logs the call in one line. The library answers a request that it can't read, and no one else learns of it. */
  finish(): void {
    const code = this.code ?? (this.isRead ? undefined : Code.InvalidArgument);
    const ms = Math.round(performance.now() - this.startedAt);
    this.logger.trace('call', {
      ...{ id: this.id, method: this.path, ms },
      code: code === undefined ? 'Ok' : Code[code],
    });
  }
}

/** Where interceptors find the record of the call; undefined for calls within the process. */
export const callRecordKey = createContextKey<CallRecord | undefined>(undefined, {
  description: 'the record of the call',
});
