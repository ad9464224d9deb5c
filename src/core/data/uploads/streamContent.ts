import { rechunkBytes } from './rechunkBytes';

export interface UploadOptions {
  /** Cancels the upload, which leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the size in bytes of each chunk when it is sent. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** Call that takes a content as a stream of messages. */
export interface ContentCall<Message, Answer> {
  /** First message, which describes the content. */
  readonly head: Message;
  /** Maximum bytes of the content in one message. */
  readonly pieceBytes: number;
  readonly piece: (bytes: Uint8Array) => Message;
  /** Reads the content; stops early when the upload does. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  readonly send: (messages: AsyncIterable<Message>) => Promise<Answer>;
}

/**
 * Sends a content of any size while it buffers at most a few chunks of it.
 * @throws errors from reading the content and from the call.
 */
export async function streamContent<Message, Answer>(
  call: ContentCall<Message, Answer>,
  { signal, onSent }: UploadOptions,
): Promise<Answer> {
  // After the call is over nothing consumes chunks anymore, and the reader must be notified.
  const over = new AbortController();
  const reading = AbortSignal.any(signal ? [over.signal, signal] : [over.signal]);
  let failure: unknown;
  async function* messages() {
    yield call.head;
    const pieces = rechunkBytes(call.read(reading), call.pieceBytes);
    // An error thrown at a `yield` comes from the transport, which has a better reason.
    const noted = (error: unknown): never => {
      failure = error;
      throw error;
    };
    try {
      for (;;) {
        const next = await pieces.next().catch(noted);
        if (next.done === true) return;
        onSent?.(next.value.length);
        yield call.piece(next.value);
      }
    } finally {
      await pieces.return(undefined);
    }
  }
  try {
    return await call.send(messages());
  } catch (error) {
    // The transport only knows that its input was interrupted.
    throw signal?.aborted ? error : (failure ?? error);
  } finally {
    over.abort();
  }
}
