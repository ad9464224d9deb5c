import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { Authenticator } from '../authenticator';

/**
 * Adds the bearer token to every call. When the service rejects the token, gets a new one (once for
 * all rejected calls) and repeats the call once. That is safe for every method, because a rejected
 * call has no effect. Doesn't repeat streams. The service rejects them before their first message,
 * but their input might already be consumed.
 */
export function authenticateInterceptor(authenticator: Authenticator): Interceptor {
  return (next) => async (request) => {
    const token = await authenticator.getToken();
    request.header.set('authorization', `Bearer ${token}`);
    try {
      const response = await next(request);
      return response.stream
        ? {
            ...response,
            message: noticing(response.message, () => authenticator.invalidate(token)),
          }
        : response;
    } catch (error) {
      if (!isTokenRejection(error)) throw error;
      authenticator.invalidate(token);
      if (request.stream) throw error;
      request.header.set('authorization', `Bearer ${await authenticator.getToken()}`);
      return next(request);
    }
  };
}

/** Detects the rejection of a token while the messages of a stream are read. */
async function* noticing<T>(messages: AsyncIterable<T>, onRejected: () => void): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    if (isTokenRejection(error)) onRejected();
    throw error;
  }
}

function isTokenRejection(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Unauthenticated;
}
