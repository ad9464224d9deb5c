import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { Authenticator } from '../authenticator';

/**
 * Puts the bearer token on every call. When the service refuses it, the token is exchanged again
 * (once for all calls that were refused) and the call is made one more time. That is safe for every
 * method, because a refused call did nothing. Streams are refused before their first message, but
 * their input may be consumed, so they are not repeated.
 */
export function authenticateInterceptor(authenticator: Authenticator): Interceptor {
  return (next) => async (request) => {
    const token = await authenticator.getToken();
    request.header.set('authorization', `Bearer ${token}`);
    try {
      const response = await next(request);
      return response.stream
        ? { ...response, message: noticing(response.message, () => authenticator.refuse(token)) }
        : response;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      authenticator.refuse(token);
      if (request.stream) throw error;
      request.header.set('authorization', `Bearer ${await authenticator.getToken()}`);
      return next(request);
    }
  };
}

/** A refusal of a stream may come where its messages are read. */
async function* noticing<T>(messages: AsyncIterable<T>, refused: () => void): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    if (isRefusal(error)) refused();
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Unauthenticated;
}
