/** Time and memory of an operation at one size. */
export interface CurvePoint {
  /** Size as a multiple of the demo fleet. */
  readonly scale: number;
  readonly size: number;
  readonly milliseconds: number;
  /** Peak memory of the service. */
  readonly mebibytes: number;
}

/** Time and memory of an operation at increasing sizes. */
export interface BenchCurve {
  readonly name: string;
  /** Unit of the size, such as `machines`. */
  readonly unit: string;
  readonly points: readonly CurvePoint[];
}

/** Line that a benchmark prints: a ratio to a baseline of the same run, and its target. */
export interface BenchResult {
  readonly name: string;
  readonly ratio: number;
  readonly against: string;
  /** Target ratio, such as `>= 0.4`. */
  readonly aim: string;
  /** Sentence for readers of the results that says why a result misses the target. */
  readonly reason?: string;
  readonly curve?: BenchCurve;
}

/** Returns the results in a benchmark's output, which can contain other lines. */
export function parseResults(output: string): readonly BenchResult[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const result = JSON.parse(line) as Partial<BenchResult>;
    const { name, ratio, against, aim, reason, curve } = result;
    if (name === undefined || ratio === undefined || against === undefined || aim === undefined) {
      throw new Error(`A result needs a name, a ratio, a baseline, and an aim: ${line}`);
    }
    return [{ name, ratio, against, aim, ...(reason && { reason }), ...(curve && { curve }) }];
  });
}

/** Formats the results that miss their aim as a table. */
export function formatMissed(results: readonly BenchResult[]): string {
  const missed = results.filter((result) => !meetsAim(result));
  if (missed.length === 0) return `All ${String(results.length)} results meet their aim.`;
  const width = Math.max(...missed.map(({ name }) => name.length));
  const rows = missed.map(
    ({ name, ratio, aim, against }) =>
      `${name.padEnd(width)}  ${ratio.toFixed(3).padStart(8)}  ${aim.padEnd(8)}  ${against}`,
  );
  return [
    `${String(missed.length)} of ${String(results.length)} results miss their aim:`,
    ...rows,
  ].join('\n');
}

/**
 * Formats the durations of benchmarks by name, in milliseconds, as a table with the longest first.
 */
export function formatDurations(durations: ReadonlyMap<string, number>): string {
  const total = [...durations.values()].reduce((sum, duration) => sum + duration, 0);
  const rows = [...durations].toSorted(([, a], [, b]) => b - a);
  return [...rows, ['in total', total] as const]
    .map(([name, duration]) => `${(duration / 1000).toFixed(1).padStart(7)} s  ${name}`)
    .join('\n');
}

/** @throws Error if the aim has another form than `<= 1.5` or `>= 0.6` */
export function meetsAim({ ratio, aim }: BenchResult): boolean {
  const [, comparison, limit] = /^(<=|>=) (\d+(?:\.\d+)?)$/.exec(aim) ?? [];
  if (limit === undefined) throw new Error(`An aim has the form "<= 1.5" or ">= 0.6": ${aim}`);
  // A ratio that isn't a number meets no aim.
  return comparison === '<=' ? ratio <= Number(limit) : ratio >= Number(limit);
}
