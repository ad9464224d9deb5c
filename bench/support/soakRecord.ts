/** Line in the record of a soak run: a call, a failed call, or a memory measurement. */
export type SoakEntry = {
  /** Time in milliseconds since 1970. */
  readonly at: number;
  readonly name: string;
} & (
  | { readonly milliseconds: number }
  | { readonly error: string }
  | { readonly mebibytes: number }
);

export interface OperationFigures {
  readonly name: string;
  readonly calls: number;
  /** Percentiles of the duration in milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly errors: number;
}

/** Number of parts of equal duration into which a run is divided. */
export const QUARTERS = 4;

/** Calls and memory measurements of a soak run, by quarter of its duration. */
export class SoakRecord {
  private readonly quarters = Array.from({ length: QUARTERS }, () => ({
    durations: new Map<string, number[]>(),
    errors: new Map<string, string[]>(),
    memory: new Map<string, number[]>(),
  }));

  /**
   * @param start time in milliseconds since 1970
   * @param durationMs planned duration
   */
  constructor(
    private readonly start: number,
    private readonly durationMs: number,
  ) {}

  add(entry: SoakEntry): void {
    const { durations, errors, memory } = this.quarter(this.quarterAt(entry.at));
    if ('milliseconds' in entry) append(durations, entry.name, entry.milliseconds);
    else if ('error' in entry) append(errors, entry.name, entry.error);
    else append(memory, entry.name, entry.mebibytes);
  }

  /** Measures a call. Records a failure instead of throwing it. */
  async measure<T>(name: string, call: () => Promise<T>): Promise<T | undefined> {
    const started = performance.now();
    try {
      const result = await call();
      this.add({ at: Date.now(), name, milliseconds: performance.now() - started });
      return result;
    } catch (error) {
      this.add({ at: Date.now(), name, error: String(error) });
      return undefined;
    }
  }

  /** Names of the operations that succeeded at least once. */
  get operations(): readonly string[] {
    return [...new Set(this.quarters.flatMap(({ durations }) => [...durations.keys()]))].sort();
  }

  /** Names of the memory measurements. */
  get memories(): readonly string[] {
    return [...new Set(this.quarters.flatMap(({ memory }) => [...memory.keys()]))].sort();
  }

  /** All errors with their operation, oldest quarter first. */
  get errors(): readonly string[] {
    return this.quarters.flatMap(({ errors }) =>
      [...errors].flatMap(([name, messages]) => messages.map((message) => `${name}: ${message}`)),
    );
  }

  /** @param index of the quarter, from 0 */
  figures(index: number, name: string): OperationFigures {
    const { durations, errors } = this.quarter(index);
    const sorted = (durations.get(name) ?? []).toSorted((a, b) => a - b);
    const percentile = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    return {
      name,
      calls: sorted.length,
      p50: rounded(percentile(0.5)),
      p95: rounded(percentile(0.95)),
      p99: rounded(percentile(0.99)),
      errors: errors.get(name)?.length ?? 0,
    };
  }

  /** Returns the median of a memory measurement in MiB. @param index of the quarter, from 0 */
  memory(index: number, name: string): number {
    const sorted = (this.quarter(index).memory.get(name) ?? []).toSorted((a, b) => a - b);
    return rounded(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN);
  }

  private quarterAt(time: number): number {
    const share = (time - this.start) / this.durationMs;
    return Math.min(QUARTERS - 1, Math.max(0, Math.floor(share * QUARTERS)));
  }

  private quarter(index: number) {
    const quarter = this.quarters[index];
    if (!quarter) throw new Error(`There is no quarter ${String(index)}.`);
    return quarter;
  }
}

function append<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
