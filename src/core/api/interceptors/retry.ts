import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { Sleep } from '../../ports';

export interface RetryOptions {
  /** Maximum number of attempts, including the first. */
  readonly attempts: number;
  /** Maximum wait in milliseconds before the second attempt; doubles with each further attempt. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  readonly sleep: Sleep;
  /** Returns a number in [0, 1), to spread the retries of many clients. */
  readonly random: () => number;
}

/**
 * Retries calls that failed because the service was unavailable, if the API contract says that
 * repeating them is safe. Leaves other calls to the caller, because they could take effect twice.
 */
export function retryInterceptor(options: RetryOptions): Interceptor {
  return (next) => async (request) => {
    const repeatable =
      !request.stream && request.method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(request);
      } catch (error) {
        const last = attempt >= options.attempts;
        if (!repeatable || last || request.signal.aborted || !isTransient(error)) throw error;
        await options.sleep(waitBefore(attempt, options), request.signal);
      }
    }
  };
}

function isTransient(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  // A connection that is lost during a call causes Canceled, or Aborted with Node's ECONNRESET.
  const cut = code === Code.Canceled || (code === Code.Aborted && hasNodeCode(error));
  return code === Code.Unavailable || cut;
}

function hasNodeCode(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && 'code' in error.cause;
}

function waitBefore(attempt: number, options: RetryOptions): number {
  const ceiling = Math.min(options.firstWaitMs * 2 ** (attempt - 1), options.longestWaitMs);
  return ceiling * options.random();
}
