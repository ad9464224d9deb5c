/** What is sent at a time, if so much is ready. */
const GATHERED_BYTES = 64 * 1024;

/**
 * The same bytes in fewer pieces: those that are ready at the same time go together, as every piece
 * that is sent costs as much as making several small messages. Nothing waits for what is not ready, and
 * what is ready lets others work in between, however fast it is taken.
 */
export async function* gathered(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const source = pieces[Symbol.asyncIterator]();
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
            turn ??= endOfTurn();
          }
        }
      } catch (cause) {
        // After what came before it.
        failure = { cause };
      }
      if (ready.length > 0) {
        await turn;
        yield Buffer.concat(ready);
      }
    }
  } finally {
    if (!isDone) {
      // Nobody waits any more for what was asked for.
      next.catch(() => undefined);
      await source.return?.();
    }
  }
  if (failure !== undefined) {
    throw failure.cause;
  }
}

/** Resolves when what is ready has run, and before anything new arrives. */
async function endOfTurn(): Promise<undefined> {
  return new Promise((resolve) => {
    setImmediate(() => {
      resolve(undefined);
    });
  });
}
