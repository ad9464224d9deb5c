import { Code, ConnectError, type Transport } from '@connectrpc/connect';

/** `lost`: the service executes the call, but its response doesn't arrive. */
type Fault = 'unreachable' | 'refused' | 'lost';

/** Makes calls of some methods fail or wait, as often as a test requests. */
export class FaultyTransport {
  private readonly faults = new Map<string, Fault[]>();
  private readonly blocked = new Map<string, Promise<unknown>>();

  /** Makes the next calls of a method fail, one fault per call. */
  fail(method: string, ...faults: readonly Fault[]): void {
    this.faults.set(method, [...faults]);
  }

  /**
   * Makes calls of a method wait.
   * @returns a function that releases the calls.
   */
  blockCalls(method: string): () => void {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.blocked.set(method, promise);
    return () => {
      this.blocked.delete(method);
      resolve(undefined);
    };
  }

  /** Returns a transport that injects these faults. */
  over(wire: Transport): Transport {
    return {
      stream: (...call) => wire.stream(...call),
      unary: async (method, ...call) => {
        await this.blocked.get(method.name);
        const fault = this.faults.get(method.name)?.shift();
        if (fault === 'refused') throw new ConnectError('not allowed', Code.PermissionDenied);
        if (fault === 'unreachable') throw new ConnectError('unreachable', Code.Unavailable);
        const answer = await wire.unary(method, ...call);
        if (fault === 'lost') throw new ConnectError('no answer', Code.Unavailable);
        return answer;
      },
    };
  }
}
