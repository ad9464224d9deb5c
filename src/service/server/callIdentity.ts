import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { LogFields } from '../../base/logger';

/** Header with the ID that identifies a call in the log. Callers can choose the ID. */
export const REQUEST_ID_HEADER = 'x-request-id';
/** Header with the caller's position in a distributed trace (W3C Trace Context). */
export const TRACE_HEADER = 'traceparent';

/** IDs that log lines contain, and that callers can quote. */
export type CallIdentity = Readonly<{
  requestId: string;
  /** ID of the caller's trace, and of the span in it that made the call. */
  traceId?: string;
  parentSpanId?: string;
  /** ID of the call's own span, if the call is traced. */
  spanId?: string;
}>;

/** Format of the IDs that clients show. Anything else could forge or flood log lines. */
const REQUEST_ID = /^[\w-]{1,64}$/;
/** Later versions can append further fields (W3C Trace Context, section 3.2.2). */
const TRACE_PARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:$|-)/;

/** Reads a call's identity from its headers. Ignores invalid IDs, and creates a request ID if needed. */
export function readCallIdentity(headers: IncomingHttpHeaders): CallIdentity {
  const received = headers[REQUEST_ID_HEADER];
  const requestId =
    typeof received === 'string' && REQUEST_ID.test(received) ? received : newRequestId();
  const [, traceId, parentSpanId] = TRACE_PARENT.exec(String(headers[TRACE_HEADER])) ?? [];
  return traceId === undefined || parentSpanId === undefined
    ? { requestId }
    : { requestId, traceId, parentSpanId };
}

/** Node.js draws random UUIDs in advance, which takes a fraction of the time of random bytes. */
function newRequestId(): string {
  const id = randomUUID();
  return `${id.slice(0, 8)}${id.slice(-8)}`;
}

/** Makes the identity of the current call available to the logger. */
export class CallContext {
  private readonly storage = new AsyncLocalStorage<CallIdentity>();

  /** Runs work, including all asynchronous work that it starts, on behalf of a call. */
  run(identity: CallIdentity, work: () => void): void {
    this.storage.run(identity, work);
  }

  /** Fields for log lines of the current call; none outside of calls. */
  get fields(): LogFields {
    return this.storage.getStore() ?? {};
  }
}
