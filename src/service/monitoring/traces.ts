import { randomBytes } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import { Health } from '../../gen/grpc/health/v1/health_pb';
import type { CallIdentity } from '../server/callIdentity';
import type { CallTracer, FinishedCall } from '../server/callRecord';
import type { TraceOptions } from './traceOptions';

/** Maximum number of spans that wait to be sent; further ones are dropped (OTEL_BSP defaults). */
const MAX_WAITING = 2_048;
const MAX_BATCH = 512;
const SEND_INTERVAL_MS = 5_000;
const SEND_TIMEOUT_MS = 10_000;
/** Time for the last spans. The service waits for it before it closes its database. */
const FLUSH_TIMEOUT_MS = 2_000;
/** Statuses after which a batch is sent again (OTLP/HTTP, "Retryable Response Codes"). */
const RETRYABLE = new Set([429, 502, 503, 504]);

const SAMPLED_FLAG = 1;
const KIND_SERVER = 2;
const STATUS_ERROR = 2;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const NS_PER_MS = 1_000_000;

/** Codes that are the service's own errors (OpenTelemetry conventions for gRPC servers). */
const SERVER_ERRORS = new Set([
  ...[Code.Unknown, Code.DeadlineExceeded, Code.Unimplemented],
  ...[Code.Internal, Code.Unavailable, Code.DataLoss],
]);

/**
 * Records a server span for each call, and sends the spans to a collector over OTLP/HTTP in JSON.
 * Spans contain only names of the contract, codes and times. Calls of the health protocol have none.
 */
export class Traces implements CallTracer, AsyncDisposable {
  private waiting: object[] = [];
  private dropped = 0;
  private isFailing = false;
  private sending: Promise<void> | undefined;
  private readonly stop = new AbortController();
  private readonly timer = setInterval(() => void this.send(), SEND_INTERVAL_MS).unref();

  constructor(
    private readonly options: TraceOptions,
    private readonly logger: Logger,
    private readonly flushTimeoutMs = FLUSH_TIMEOUT_MS,
  ) {}

  identify(identity: CallIdentity, traceParent: string | undefined): CallIdentity {
    const { traceId = randomBytes(TRACE_ID_BYTES).toString('hex') } = identity;
    const flags = Number.parseInt(traceParent?.split('-')[3] ?? '', 16);
    const parent = identity.traceId === undefined ? undefined : (flags & SAMPLED_FLAG) !== 0;
    if (!this.options.isSampled(traceId, parent)) return identity;
    return { ...identity, traceId, spanId: randomBytes(SPAN_ID_BYTES).toString('hex') };
  }

  record(call: FinishedCall): void {
    if (call.identity.spanId === undefined || call.service === Health.typeName) return;
    if (this.waiting.length >= MAX_WAITING) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(toSpan(call));
    if (this.waiting.length >= MAX_BATCH) void this.send();
  }

  /** Sends all spans that are waiting. Waits until they have arrived, or can't be sent in time. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.timer);
    const timeout = setTimeout(() => {
      this.stop.abort(new Error('the service stopped before the collector responded'));
    }, this.flushTimeoutMs);
    await this.send();
    while (this.waiting.length > 0 && !this.isFailing) await this.send();
    clearTimeout(timeout);
  }

  /** Sends one batch. Doesn't throw. Concurrent calls wait for the same batch. */
  private async send(): Promise<void> {
    this.sending ??= this.sendBatch().finally(() => (this.sending = undefined));
    await this.sending;
  }

  private async sendBatch(): Promise<void> {
    const spans = this.waiting.splice(0, MAX_BATCH);
    if (spans.length === 0) return;
    const { resource, scope, url, headers } = this.options;
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
    let error: string | undefined;
    let isRetryable = true;
    try {
      const { ok, status } = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(SEND_TIMEOUT_MS), this.stop.signal]),
      });
      if (!ok) error = `status ${String(status)}`;
      isRetryable = RETRYABLE.has(status);
    } catch (cause) {
      const { message, cause: reason } = cause as Error;
      error = reason instanceof Error ? reason.message || reason.name : message;
    }
    if (error !== undefined) {
      const room = isRetryable ? Math.max(0, MAX_WAITING - this.waiting.length) : 0;
      this.dropped += Math.max(0, spans.length - room);
      this.waiting.unshift(...spans.slice(0, room));
    }
    this.report(error);
  }

  /** Logs only the first of several failures, and the number of dropped spans when they end. */
  private report(error: string | undefined): void {
    if (error !== undefined && !this.isFailing) {
      this.logger.warn('traces could not be sent', { endpoint: this.options.url.origin, error });
    } else if (error === undefined && this.dropped > 0) {
      this.logger.warn('traces were dropped', { spans: this.dropped });
      this.dropped = 0;
    }
    this.isFailing = error !== undefined;
  }
}

/** Returns a call's span in the JSON encoding of OTLP, in which IDs are hexadecimal. */
function toSpan(call: FinishedCall): object {
  const { service, method, identity, isConnect, code, startedAt, durationMs } = call;
  const status = code === undefined ? undefined : Code[code];
  const attributes = {
    'rpc.system': isConnect ? 'connect_rpc' : 'grpc',
    'rpc.service': service,
    'rpc.method': method,
    ...(isConnect ? code && { 'rpc.connect_rpc.error_code': toSnakeCase(Code[code]) } : undefined),
    ...(isConnect ? undefined : { 'rpc.grpc.status_code': code ?? 0 }),
  };
  return {
    traceId: identity.traceId,
    spanId: identity.spanId,
    parentSpanId: identity.parentSpanId,
    name: `${service}/${method}`,
    kind: KIND_SERVER,
    startTimeUnixNano: toNanoseconds(startedAt),
    endTimeUnixNano: toNanoseconds(startedAt + durationMs),
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) })),
    status: code && SERVER_ERRORS.has(code) ? { code: STATUS_ERROR, message: status } : {},
  };
}

/** Returns an attribute's value in OTLP, in which 64-bit integers are strings. */
function toValue(value: string | number): object {
  return typeof value === 'string' ? { stringValue: value } : { intValue: String(value) };
}

function toNanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * BigInt(NS_PER_MS) + BigInt(Math.round((ms - whole) * NS_PER_MS)));
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
