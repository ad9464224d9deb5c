import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { Clock, Logger } from '../../ports';
import { getRequestId } from '../requestId';

/**
 * Logs the method, outcome, and duration of each call. Never logs headers or bodies, because they
 * contain keys.
 */
export function logInterceptor(logger: Logger, clock: Clock): Interceptor {
  return (next) => async (request) => {
    const method = `${request.service.name}/${request.method.name}`;
    const start = clock.now().getTime();
    const elapsed = (): number => clock.now().getTime() - start;
    try {
      const response = await next(request);
      logger.debug(method, { ms: elapsed() });
      return response;
    } catch (error) {
      const requestId = getRequestId(error);
      logger.warn(method, {
        ...{ ms: elapsed(), code: Code[ConnectError.from(error).code] },
        ...(requestId !== undefined && { requestId }),
      });
      throw error;
    }
  };
}
