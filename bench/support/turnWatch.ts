import { monitorEventLoopDelay } from 'node:perf_hooks';

const NANOS_PER_MILLISECOND = 1e6;
const BYTES_PER_MEBIBYTE = 1024 * 1024;
const POLL_INTERVAL_MS = 50;

/** Impact of a piece of work on other work in the same process. */
export interface WatchedWork {
  readonly milliseconds: number;
  /** Duration of the longest block of the event loop. */
  readonly longestTurnMilliseconds: number;
  /** Peak memory of the process. */
  readonly memoryMebibytes: number;
}

/** Runs some work, and measures its impact on other work. */
export async function watched(work: () => Promise<unknown>): Promise<WatchedWork> {
  const turns = monitorEventLoopDelay({ resolution: 1 });
  let most = process.memoryUsage.rss();
  const samplingTimer = setInterval(
    () => (most = Math.max(most, process.memoryUsage.rss())),
    POLL_INTERVAL_MS,
  );
  turns.enable();
  const start = performance.now();
  try {
    await work();
    const milliseconds = Math.round(performance.now() - start);
    // Wait, because a tick is counted only when it ends.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return {
      milliseconds,
      longestTurnMilliseconds: Math.round(turns.max / NANOS_PER_MILLISECOND),
      memoryMebibytes: Math.round(most / BYTES_PER_MEBIBYTE),
    };
  } finally {
    turns.disable();
    clearInterval(samplingTimer);
  }
}
