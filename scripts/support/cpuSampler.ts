import { readdirSync, readFileSync } from 'node:fs';

/** Frequency of the kernel clock as reported to programs (`sysconf(_SC_CLK_TCK)`). */
const TICKS_PER_SECOND = 100;
/**
 * Sampling interval in milliseconds. CPU time that a process uses after its last sample isn't
 * counted.
 */
const SAMPLE_MS = 250;

interface RunningProcess {
  pid: number;
  parent: number;
  /** Process ID and start time, because process IDs can be reused. */
  key: string;
  /** User and system time in clock ticks. */
  ticks: number;
}

/**
 * Measures the CPU time of a process and all its descendants by sampling. The operating system adds
 * the time of a process to its parent's only if the parent waits for it, which browsers don't do.
 */
export class CpuSampler {
  private readonly ticks = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  /**
   * Stops sampling. @returns CPU time in seconds, or undefined on systems other than Linux, where
   * it can't be measured
   */
  stop(): number | undefined {
    clearInterval(this.timer);
    if (this.ticks.size === 0) return undefined;
    let sum = 0;
    for (const ticks of this.ticks.values()) sum += ticks;
    return sum / TICKS_PER_SECOND;
  }

  private sample(): void {
    const running = listProcesses();
    // Include processes whose parent has exited, because they still belong to the stage.
    const found = running.filter(({ pid, key }) => pid === this.pid || this.ticks.has(key));
    for (const { pid } of found) {
      found.push(...running.filter((child) => child.parent === pid && !found.includes(child)));
    }
    for (const { key, ticks } of found) this.ticks.set(key, ticks);
  }
}

function listProcesses(): RunningProcess[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => readProcess(pid));
}

function readProcess(pid: string): RunningProcess[] {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // The process has exited since the list was read.
    return [];
  }
  // Fields starting with the third one (see proc(5)). The program name before them can contain
  // spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent, user, system, started = ''] = [1, 11, 12, 19].map((index) => fields[index]);
  const ticks = Number(user) + Number(system);
  return [{ pid: Number(pid), parent: Number(parent), key: `${pid} ${started}`, ticks }];
}
