import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';

/** Headers that contain the timeout of a call, one for each protocol. */
const TIMES = ['grpc-timeout', 'connect-timeout-ms'];

/**
 * Gives every unary call its own deadline, so that each retry has the full time. The service
 * receives the deadline (`grpc-timeout`) and can stop working when it expires. Streams have no
 * deadline, and calls with a timeout from the caller keep that timeout.
 */
export function deadlineInterceptor(milliseconds: number): Interceptor {
  return (next) => async (request) => {
    if (request.stream || TIMES.some((name) => request.header.has(name))) return next(request);
    request.header.set('grpc-timeout', `${milliseconds}m`);
    const late = new ConnectError(
      `no response within ${milliseconds / 1_000} s`,
      Code.DeadlineExceeded,
    );
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(late), milliseconds);
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    try {
      return await next({ ...request, signal });
    } catch (error) {
      throw deadline.signal.aborted && !request.signal.aborted ? late : error;
    } finally {
      clearTimeout(timer);
    }
  };
}
