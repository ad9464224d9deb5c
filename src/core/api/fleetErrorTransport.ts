import type { Transport } from '@connectrpc/connect';
import { englishLocalizer } from '../../base/localizer';
import { toCallError } from './connectErrorToFleetError';

/**
 * Converts each failure of a transport to a `FleetError`. Wraps the transport instead of being an
 * interceptor, because a transport wraps everything that an interceptor throws in a `ConnectError`.
 */
export function fleetErrorTransport(
  inner: Transport,
  baseUrl: string,
  l10n = englishLocalizer,
): Transport {
  const toError = (error: unknown, method: string, signal: AbortSignal | undefined): Error =>
    toCallError(error, { method, baseUrl, l10n, aborted: signal?.aborted ?? false });
  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      try {
        return await inner.unary(method, signal, timeoutMs, header, input, contextValues);
      } catch (error) {
        throw toError(error, method.name, signal);
      }
    },
    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const failure = (error: unknown): Error => toError(error, method.name, signal);
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
