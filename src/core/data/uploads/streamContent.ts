import { inPieces } from './inPieces';

export interface UploadOptions {
  /** Breaks the upload off, which leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each piece on its way, with its bytes. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** A call that takes a content as a stream of messages. */
export interface ContentCall<Message, Answer> {
  /** What the content is. */
  readonly head: Message;
  /** As much of the content goes into one message. */
  readonly pieceBytes: number;
  readonly piece: (bytes: Uint8Array) => Message;
  /** The content; it ends early when the upload does. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  readonly send: (messages: AsyncIterable<Message>) => Promise<Answer>;
}

/**
 * Sends a content of any size without ever holding more than a few pieces of it.
 * @throws what reading the content throws, and what the call does.
 */
export async function streamContent<Message, Answer>(
  call: ContentCall<Message, Answer>,
  { signal, onSent }: UploadOptions,
): Promise<Answer> {
  // Nobody takes pieces any more once the call is over, and anyone who reads should hear of it.
  const over = new AbortController();
  const reading = AbortSignal.any(signal ? [over.signal, signal] : [over.signal]);
  let failure: unknown;
  async function* messages() {
    yield call.head;
    const pieces = inPieces(call.read(reading), call.pieceBytes);
    // What is thrown at a `yield` comes from the transport, which knows better why.
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
    // The transport only knows that its input broke off.
    throw signal?.aborted ? error : (failure ?? error);
  } finally {
    over.abort();
  }
}
