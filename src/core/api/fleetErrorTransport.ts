import type { Transport } from '@connectrpc/connect';
import { toCallError } from './connectErrorToFleetError';

/**
 * Makes every failure of a transport a `FleetError`. It stands around the transport, not among its
 * interceptors, because a transport turns whatever an interceptor throws back into a ConnectError.
 */
export function fleetErrorTransport(inner: Transport, baseUrl: string): Transport {
  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      try {
        return await inner.unary(method, signal, timeoutMs, header, input, contextValues);
      } catch (error) {
        const aborted = signal?.aborted ?? false;
        throw toCallError(error, { method: method.name, baseUrl, aborted });
      }
    },
    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const failure = (error: unknown): Error =>
        toCallError(error, { method: method.name, baseUrl, aborted: signal?.aborted ?? false });
      try {
        const response = await inner.stream(
          method,
          signal,
          timeoutMs,
          header,
          input,
          contextValues,
        );
        return { ...response, message: mapFailures(response.message, failure) };
      } catch (error) {
        throw failure(error);
      }
    },
  };
}

async function* mapFailures<T>(
  messages: AsyncIterable<T>,
  failure: (error: unknown) => Error,
): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    throw failure(error);
  }
}
