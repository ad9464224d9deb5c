export interface UploadOptions {
  /** Cancels the upload, in which case the service stores nothing. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the size in bytes of each chunk when the chunk is sent. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** Call that receives content as a stream of messages. */
export interface ContentCall<Message, Answer> {
  /** First message, which describes the content. */
  readonly head: Message;
  /** Maximum number of content bytes in one message. */
  readonly chunkBytes: number;
  readonly toMessage: (bytes: Uint8Array) => Message;
  /** Reads the content until the end or until the upload stops. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  readonly send: (messages: AsyncIterable<Message>) => Promise<Answer>;
}

/**
 * Sends content of any size while buffering at most a few chunks of it.
 * @throws errors from reading the content and from the call.
 */
export async function streamContent<Message, Answer>(
  call: ContentCall<Message, Answer>,
  { signal, onSent }: UploadOptions,
): Promise<Answer> {
  // Aborts when the call has ended. After that, nothing consumes chunks, so the reader must stop.
  const over = new AbortController();
  const reading = AbortSignal.any(signal ? [over.signal, signal] : [over.signal]);
  let failure: unknown;
  async function* messages() {
    yield call.head;
    const chunks = rechunkBytes(call.read(reading), call.chunkBytes);
    // Errors thrown at a `yield` come from the transport, which reports a more specific reason.
    const noted = (error: unknown): never => {
      failure = error;
      throw error;
    };
    try {
      for (;;) {
        const next = await chunks.next().catch(noted);
        if (next.done === true) return;
        onSent?.(next.value.length);
        yield call.toMessage(next.value);
      }
    } finally {
      await chunks.return(undefined);
    }
  }
  try {
    return await call.send(messages());
  } catch (error) {
    // The transport reports only that its input was interrupted, so the reader's error takes
    // precedence.
    throw signal?.aborted ? error : (failure ?? error);
  } finally {
    over.abort();
  }
}

/**
 * Splits content into chunks of equal size, except for the last chunk. Sources deliver chunks of
 * any size, but services expect messages of a certain size. A chunk is valid only until the
 * consumer requests the next one, because its buffer is reused.
 */
export async function* rechunkBytes(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let buffer: Uint8Array | undefined;
  let filled = 0;
  for await (const bytes of content) {
    let start = 0;
    while (start < bytes.length) {
      const left = bytes.length - start;
      if (filled === 0 && left >= size) {
        yield bytes.subarray(start, start + size);
        start += size;
        continue;
      }
      buffer ??= new Uint8Array(size);
      const taken = Math.min(size - filled, left);
      buffer.set(bytes.subarray(start, start + taken), filled);
      filled += taken;
      start += taken;
      if (filled < size) continue;
      yield buffer;
      filled = 0;
    }
  }
  if (buffer && filled > 0) yield buffer.subarray(0, filled);
}
