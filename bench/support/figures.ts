/** Returns the median, which other load on the computer affects least. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Runs some work; returns its duration in milliseconds. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns a size or a number of rounds: the first in a run with `--quick`, otherwise the second. */
export function quickOrFull(quick: number, full: number): number {
  return process.env.FLEETWRIGHT_BENCH_QUICK === '1' ? quick : full;
}

/**
 * Prints the result of a benchmark and its target as one JSON line. `npm run bench` collects these
 * lines and lists the results that miss their target.
 */
export function report(result: {
  name: string;
  ratio: number;
  /** Baseline, measured in the same run. */
  against: string;
  /** Target ratio, such as `>= 0.4`. */
  aim: `${'<=' | '>='} ${number}`;
  /** Sentence that says why the result can miss its target. */
  reason?: string;
  [figure: string]: unknown;
}): void {
  process.stdout.write(
    `${JSON.stringify({ ...result, ratio: Number(result.ratio.toFixed(3)) })}\n`,
  );
}

/** Runs a benchmark. The process fails if the benchmark does. */
export function runBenchmark(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    process.exitCode = 1;
  });
}
