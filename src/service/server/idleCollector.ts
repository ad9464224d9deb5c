import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface IdleCollectorOptions {
  /** Time from the end of large work to the collection, in milliseconds. */
  readonly delayMs?: number;
  /** Minimum memory growth since the last collection, in bytes. */
  readonly minGrowthBytes?: number;
  /** Size of unused buffers, in bytes, at which the collection runs without delay. */
  readonly maxUnusedBytes?: number;
  /** Returns the memory of objects and buffers, including garbage, in bytes. */
  readonly measure?: () => number;
  /** Runs a full garbage collection. */
  readonly collect?: () => Promise<unknown>;
}

const MEBIBYTE = 1024 * 1024;
const DELAY_MS = 10_000;
const MIN_GROWTH_BYTES = 64 * MEBIBYTE;
const MAX_UNUSED_BYTES = 256 * MEBIBYTE;

/**
 * Runs a full garbage collection some time after large work. V8 collects garbage only while it
 * allocates memory, so an idle process would otherwise retain the memory from the last large
 * requests.
 */
export class IdleCollector {
  private readonly delayMs: number;
  private readonly minGrowthBytes: number;
  private readonly maxUnusedBytes: number;
  private readonly measure: () => number;
  private readonly collect: () => Promise<unknown>;
  private measured = 0;
  private unusedBytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: IdleCollectorOptions = {}) {
    this.delayMs = options.delayMs ?? DELAY_MS;
    this.minGrowthBytes = options.minGrowthBytes ?? MIN_GROWTH_BYTES;
    this.maxUnusedBytes = options.maxUnusedBytes ?? MAX_UNUSED_BYTES;
    this.measure = options.measure ?? measureMemory;
    this.collect = options.collect ?? collectGarbage;
  }

  /**
   * Schedules a collection, unless one is already scheduled. It is skipped if the memory hasn't
   * grown.
   */
  readonly schedule = (): void => {
    this.timer ??= setTimeout(() => void this.run(), this.delayMs).unref();
  };

  /**
   * Records that buffers for large work are no longer used. Runs a collection without delay when
   * the total size of these buffers becomes too large.
   */
  readonly addUnused = (bytes: number): void => {
    this.unusedBytes += bytes;
    if (this.unusedBytes >= this.maxUnusedBytes) void this.runCollection();
  };

  private async run(): Promise<void> {
    if (this.measure() - this.measured >= this.minGrowthBytes) await this.runCollection();
    this.timer = undefined;
  }

  private async runCollection(): Promise<void> {
    this.unusedBytes = 0;
    await this.collect();
    this.measured = this.measure();
  }
}

/**
 * Collector for this process. There is only one, because all services in a process share its
 * memory.
 */
export const idleCollector = new IdleCollector();

function measureMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

type CollectGarbage = (options: { type: 'major'; execution: 'async' }) => Promise<void>;

let exposed: CollectGarbage | undefined;

/** Runs as a separate task, in which no variables on the stack refer to garbage. */
function collectGarbage(): Promise<void> {
  if (exposed === undefined) {
    setFlagsFromString('--expose-gc');
    exposed = runInNewContext('gc') as CollectGarbage;
  }
  return exposed({ type: 'major', execution: 'async' });
}

/**
 * Makes V8 count buffers against the limit for objects. By default, it also collects all garbage
 * whenever buffers have grown by 64 MiB. Large uploads would cause several such collections per
 * second, each of which blocks the event loop for up to 100 ms. The collector must be notified of
 * unused buffers instead.
 */
export function countBuffersAsObjects(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
