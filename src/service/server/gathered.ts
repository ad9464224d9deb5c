/** Maximum number of bytes to send in one chunk. */
const GATHERED_BYTES = 64 * 1024;

/**
 * Merges chunks that are ready at the same time, because sending a chunk is as expensive as
 * creating several small messages. Doesn't wait for chunks that aren't ready. Yields to other work
 * between merged chunks, regardless of how fast they are consumed.
 */
export async function* gathered(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const source = chunks[Symbol.asyncIterator]();
  let next = source.next();
  let isDone = false;
  let failure: { cause: unknown } | undefined;
  try {
    while (!isDone && failure === undefined) {
      const ready: Uint8Array[] = [];
      let bytes = 0;
      let turn: Promise<undefined> | undefined;
      try {
        while (!isDone && bytes < GATHERED_BYTES) {
          const result = turn === undefined ? await next : await Promise.race([next, turn]);
          if (result === undefined) {
            break;
          }
          if (result.done === true) {
            isDone = true;
          } else {
            ready.push(result.value);
            bytes += result.value.length;
            next = source.next();
            turn ??= waitForTickEnd();
          }
        }
      } catch (cause) {
        // The error is thrown after the preceding data has been sent.
        failure = { cause };
      }
      if (ready.length > 0) {
        await turn;
        yield Buffer.concat(ready);
      }
    }
  } finally {
    if (!isDone) {
      // Prevents an unhandled rejection, because nothing is waiting for the pending chunk anymore.
      next.catch(() => undefined);
      await source.return?.();
    }
  }
  if (failure !== undefined) {
    throw failure.cause;
  }
}

/** Resolves when all ready callbacks have run, and before any new data arrives. */
async function waitForTickEnd(): Promise<undefined> {
  return new Promise((resolve) => {
    setImmediate(() => {
      resolve(undefined);
    });
  });
}
