import type { ConnectError } from '@connectrpc/connect';
import { invalid } from '../errors';

/** A client's stream of a first message, which says what comes, and the pieces of a content. */
export class UploadStream<Message> {
  private constructor(
    private readonly first: Message,
    private readonly rest: AsyncIterator<Message>,
    private readonly headName: string,
  ) {}

  /**
   * Waits for the first message.
   * @param headName what it must hold, for messages to people.
   * @throws InvalidArgument when there is no message at all.
   */
  static async begin<M>(requests: AsyncIterable<M>, headName: string): Promise<UploadStream<M>> {
    const rest = requests[Symbol.asyncIterator]();
    const first = await rest.next();
    if (first.done === true) {
      throw malformed(headName);
    }
    return new UploadStream(first.value, rest, headName);
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
   * @throws InvalidArgument at a message without any, which is no piece of a content.
   */
  async *pieces(bytesOf: (message: Message) => Uint8Array | undefined): AsyncGenerator<Uint8Array> {
    for (let next = await this.rest.next(); next.done !== true; next = await this.rest.next()) {
      const bytes = bytesOf(next.value);
      if (bytes === undefined) {
        throw malformed(this.headName);
      }
      yield bytes;
    }
  }
}

/** A stream that is not made as the contract says. */
function malformed(headName: string): ConnectError {
  return invalid(`the first message of the stream must hold ${headName}, and only the first`);
}
