import type { Message } from '@bufbuild/protobuf';
import type { SplitMessage } from './contentSplitter';

/** Number of bytes at which a batch is full. */
export const BATCH_BYTES = 256 * 1024;
/**
 * Maximum ratio of the memory in which content arrived to the content that is passed on in it. The
 * memory of a whole network packet, which can also contain the data of other calls, is in use until
 * the content has been written.
 */
const MAX_RETAINED_RATIO = 8;

/**
 * Combines the contents of received messages into one message, because passing on a message through
 * the library and the handler takes longer than copying the content.
 */
export class ContentBatch {
  private chunks: Uint8Array[] = [];
  private bytes = 0;
  private createMessage: SplitMessage['createMessage'] | undefined;

  get isEmpty(): boolean {
    return this.bytes === 0;
  }

  /** Number of bytes that can be added until the batch is full. */
  get room(): number {
    return BATCH_BYTES - this.bytes;
  }

  /** Returns false if the message has its content in another field than those in the batch. */
  accepts({ createMessage }: SplitMessage): boolean {
    return this.isEmpty || this.createMessage === createMessage;
  }

  add({ createMessage }: SplitMessage, chunk: Uint8Array): void {
    this.createMessage = createMessage;
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }

  /** Empties the batch; returns a message with its content. The batch must not be empty. */
  take(): Message {
    const { chunks, createMessage } = this;
    const [first] = chunks;
    if (first === undefined || createMessage === undefined) throw new Error('the batch is empty');
    this.chunks = [];
    this.bytes = 0;
    const isPassedOn =
      chunks.length === 1 && first.buffer.byteLength <= first.length * MAX_RETAINED_RATIO;
    return createMessage(isPassedOn ? first : concatenate(chunks));
  }
}

// `Buffer.concat` would use a pool whose memory other calls retain.
function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const target = Buffer.allocUnsafeSlow(size);
  let end = 0;
  for (const chunk of chunks) {
    target.set(chunk, end);
    end += chunk.length;
  }
  return target;
}
