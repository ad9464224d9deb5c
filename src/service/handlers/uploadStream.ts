import type { ConnectError, HandlerContext } from '@connectrpc/connect';
import { untilAborted } from '../../base/cancellation';
import { invalid } from '../errors';

/**
 * A client's stream of a first message, which says what comes, and the pieces of a content. A client that
 * neither sends nor ends is waited for until its call has ended in another way, as by its deadline.
 */
export class UploadStream<Message> {
  private constructor(
    private readonly first: Message,
    private readonly rest: AsyncIterator<Message>,
    private readonly headName: string,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Waits for the first message.
   * @param headName what it must hold, for messages to people.
   * @throws InvalidArgument when there is no message at all, and the signal's reason.
   */
  static async begin<M>(
    requests: AsyncIterable<M>,
    headName: string,
    { signal }: Pick<HandlerContext, 'signal'>,
  ): Promise<UploadStream<M>> {
    const rest = requests[Symbol.asyncIterator]();
    const first = await untilAborted(rest.next(), signal);
    if (first.done === true) {
      throw malformed(headName);
    }
    return new UploadStream(first.value, rest, headName, signal);
  }

  /**
   * What the first message says.
   * @throws InvalidArgument when `headOf` finds nothing in it.
   */
  head<Head>(headOf: (first: Message) => Head | undefined): Head {
    const found = headOf(this.first);
    if (found === undefined) {
      throw malformed(this.headName);
    }
    return found;
  }

  /**
   * The bytes of every further message.
   * @throws InvalidArgument at a message without any, which is no piece of a content, and the signal's reason.
   */
  async *pieces(bytesOf: (message: Message) => Uint8Array | undefined): AsyncGenerator<Uint8Array> {
    for (let next = await this.next(); next.done !== true; next = await this.next()) {
      const bytes = bytesOf(next.value);
      if (bytes === undefined) {
        throw malformed(this.headName);
      }
      yield bytes;
    }
  }

  private next(): Promise<IteratorResult<Message, unknown>> {
    return untilAborted(this.rest.next(), this.signal);
  }
}

/** A stream that is not made as the contract says. */
function malformed(headName: string): ConnectError {
  return invalid(`the first message of the stream, and only the first, must contain ${headName}`);
}
