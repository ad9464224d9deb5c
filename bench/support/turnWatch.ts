import { monitorEventLoopDelay } from 'node:perf_hooks';

const NANOS_PER_MILLISECOND = 1e6;
const BYTES_PER_MEBIBYTE = 1024 * 1024;
const LOOK_EVERY_MS = 50;

/** What some work cost others in the same process. */
export interface WatchedWork {
  readonly milliseconds: number;
  /** The longest time in which nobody else had a turn. */
  readonly longestTurnMilliseconds: number;
  /** What the process had in memory at most. */
  readonly memoryMebibytes: number;
}

/** Does some work, and watches what it costs others. */
export async function watched(work: () => Promise<unknown>): Promise<WatchedWork> {
  const turns = monitorEventLoopDelay({ resolution: 1 });
  let most = process.memoryUsage.rss();
  const looking = setInterval(
    () => (most = Math.max(most, process.memoryUsage.rss())),
    LOOK_EVERY_MS,
  );
  turns.enable();
  const start = performance.now();
  try {
    await work();
    const milliseconds = Math.round(performance.now() - start);
    // A turn is counted when it is over.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return {
      milliseconds,
      longestTurnMilliseconds: Math.round(turns.max / NANOS_PER_MILLISECOND),
      memoryMebibytes: Math.round(most / BYTES_PER_MEBIBYTE),
    };
  } finally {
    turns.disable();
    clearInterval(looking);
  }
}
