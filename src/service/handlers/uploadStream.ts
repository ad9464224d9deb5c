import type { ConnectError, HandlerContext } from '@connectrpc/connect';
import { onAbort, raceAbort } from '../../base/cancellation';
import { invalid } from '../errors';

/**
 * Upload stream from a client: a first message that describes the upload, followed by the content's
 * chunks. If a client neither sends anything nor finishes, the service waits until the call ends,
 * for example at its deadline.
 */
export class UploadStream<Message> {
  private failWait: ((reason: unknown) => void) | undefined;

  private constructor(
    private readonly first: Message,
    private readonly rest: AsyncIterator<Message>,
    private readonly headName: string,
    private readonly signal: AbortSignal,
  ) {
    // Listens once, because adding a listener for each chunk takes longer than copying the chunk.
    onAbort(signal, () => this.failWait?.(signal.reason));
  }

  /**
   * Waits for the first message.
   * @param headName field that the message must contain, for error messages.
   * @throws InvalidArgument if there is no message, or the signal's reason.
   */
  static async begin<M>(
    requests: AsyncIterable<M>,
    headName: string,
    { signal }: Pick<HandlerContext, 'signal'>,
  ): Promise<UploadStream<M>> {
    const rest = requests[Symbol.asyncIterator]();
    const first = await raceAbort(rest.next(), signal);
    if (first.done === true) throw malformed(headName);
    return new UploadStream(first.value, rest, headName, signal);
  }

  /**
   * Returns the description in the first message.
   * @throws InvalidArgument if `getHead` doesn't find a description.
   */
  head<Head>(getHead: (first: Message) => Head | undefined): Head {
    const found = getHead(this.first);
    if (found === undefined) throw malformed(this.headName);
    return found;
  }

  /**
   * Yields the bytes from all further messages.
   * @throws InvalidArgument for a message without content bytes, or the signal's reason.
   */
  async *readChunks(
    getBytes: (message: Message) => Uint8Array | undefined,
  ): AsyncGenerator<Uint8Array> {
    for (let next = await this.next(); next.done !== true; next = await this.next()) {
      const bytes = getBytes(next.value);
      if (bytes === undefined) throw malformed(this.headName);
      yield bytes;
    }
  }

  private next(): Promise<IteratorResult<Message, unknown>> {
    return new Promise((resolve, reject) => {
      this.signal.throwIfAborted();
      this.failWait = reject;
      this.rest.next().then(resolve, reject);
    });
  }
}

/** Returns the error for a stream that violates the contract. */
function malformed(headName: string): ConnectError {
  return invalid(`the first message of the stream, and only the first, must contain ${headName}`);
}
