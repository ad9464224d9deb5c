import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';

/** What says how long a call may take, in the protocols. */
const TIMES = ['grpc-timeout', 'connect-timeout-ms'];

/**
 * Gives every unary call a deadline of its own, so that each retry has the whole time. The service
 * is told (`grpc-timeout`) and can stop working. Streams last as long as their reader wants, and calls whose
 * caller gave them a time, that time.
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
