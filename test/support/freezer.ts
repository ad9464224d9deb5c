import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';

/**
 * Freezes the service behind a transport, like SIGSTOP: until the service continues or is killed,
 * no call gets a response, and streams yield nothing.
 */
export class Freezer {
  private thaw = Promise.withResolvers<undefined>();
  private isFrozen = false;

  constructor() {
    this.thaw.resolve(undefined);
  }

  freeze(): void {
    this.isFrozen = true;
    this.thaw = Promise.withResolvers();
    // Prevents an unhandled rejection if no call is waiting.
    this.thaw.promise.catch(() => undefined);
  }

  goOn(): void {
    this.isFrozen = false;
    this.thaw.resolve(undefined);
  }

  /** Kills the service, so that pending calls fail. */
  kill(): void {
    this.thaw.reject(new ConnectError('the connection is lost', Code.Unavailable));
  }

  /** Must be the last interceptor, that is, the one closest to the transport. */
  readonly interceptor: Interceptor = (next) => async (request) => {
    await this.thaw.promise;
    const response = await next(request);
    await this.thaw.promise;
    return response.stream
      ? { ...response, message: this.pauseWhileFrozen(response.message) }
      : response;
  };

  private async *pauseWhileFrozen<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const message of messages) {
      while (this.isFrozen) await this.thaw.promise;
      yield message;
    }
  }
}
