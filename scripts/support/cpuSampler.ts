import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's clock as all programs see it (`sysconf(_SC_CLK_TCK)`). */
const TICKS_PER_SECOND = 100;
/** What a process takes after its last sample is not counted. */
const SAMPLE_MS = 250;

interface RunningProcess {
  pid: number;
  parent: number;
  /** Its ID and when it started: the ID alone may be another's later. */
  key: string;
  /** User and system time. */
  ticks: number;
}

/**
 * Adds up the CPU time of a process and of all that it starts, from samples. The system itself adds a process to its
 * parent's time only if the parent waits for it, which browsers don't do.
 */
export class CpuSampler {
  private readonly ticks = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  /** Ends sampling. @returns CPU seconds, or undefined where the system doesn't tell them (all but Linux) */
  stop(): number | undefined {
    clearInterval(this.timer);
    if (this.ticks.size === 0) return undefined;
    let sum = 0;
    for (const ticks of this.ticks.values()) sum += ticks;
    return sum / TICKS_PER_SECOND;
  }

  private sample(): void {
    const running = listProcesses();
    // A process whose parent has ended belongs to the stage still.
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
    // It has ended since it was listed.
    return [];
  }
  // Fields from the third on, see proc(5); the program's name before them may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent, user, system, started = ''] = [1, 11, 12, 19].map((index) => fields[index]);
  const ticks = Number(user) + Number(system);
  return [{ pid: Number(pid), parent: Number(parent), key: `${pid} ${started}`, ticks }];
}
