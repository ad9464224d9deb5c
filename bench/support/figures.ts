/** The middle one of some figures: what else the machine does weighs on it the least. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** How long some work takes, in milliseconds. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Prints what a benchmark found, with what it aims at, as one JSON line. */
export function report(result: {
  name: string;
  ratio: number;
  /** The yardstick: what was measured beside it in the same run. */
  against: string;
  /** What the ratio should be, such as `>= 0.4`. */
  aim: string;
  [figure: string]: unknown;
}): void {
  process.stdout.write(
    `${JSON.stringify({ ...result, ratio: Number(result.ratio.toFixed(3)) })}\n`,
  );
}

/** Runs a benchmark; the process fails when it does. */
export function runBenchmark(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    process.exitCode = 1;
  });
}
