import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import { documentsIn } from '../../core/model/query';
import { BUSY_RETRY_MS, exhausted, unavailable } from '../errors';
import { machineMemory } from '../processes/processGuard';
import type { JobLimits } from './jobMessages';
import { JobProcess } from './jobProcess';
import type { BatchRunner, JobRunner, QueryJob } from './queryJob';
import { queriesUnavailable } from './toProcessError';

export interface JobLaneSettings {
  /** Maximum number of concurrent jobs. */
  width: number;
  /**
   * Maximum number of concurrent jobs per owner. The remaining slots are reserved for other owners.
   */
  widthForOne: number;
  /** Maximum number of waiting jobs. */
  maxWaiting: number;
}

interface Waiting {
  enter: () => void;
}

/**
 * Fair semaphore. Waiting jobs enter round-robin by owner, so that many jobs from one owner don't
 * block other owners' jobs. Each owner's jobs enter in order.
 */
export class JobLane {
  private readonly inside = new Map<string, number>();
  /** Waiting jobs by owner. The first owner in the map is next. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(private readonly settings: JobLaneSettings) {}

  /**
   * Waits for a slot.
   * @returns a function that must be called once when the job is done.
   * @throws ResourceExhausted if too many jobs are waiting; the signal's reason when the signal
   *   aborts.
   */
  async enter(owner: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.hasRoom && this.canEnter(owner)) {
      this.count(owner, 1);
    } else {
      await this.wait(owner, signal);
    }
    let left = false;
    return () => {
      if (!left) {
        left = true;
        this.count(owner, -1);
        this.letNextIn();
      }
    };
  }

  private async wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting } = this.settings;
    const queue = this.waiting.get(owner) ?? [];
    const all = this.countWaiting();
    // Each owner can use at most half of the queue, so the other half is available to other owners.
    if (all >= maxWaiting || queue.length >= maxWaiting / 2) {
      throw exhausted('too many queries are waiting: try again later', BUSY_RETRY_MS);
    }
    this.waiting.set(owner, queue);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiting = { enter: () => resolve(undefined) };
    queue.push(waiting);
    const aborted = (): void => {
      this.remove(owner, waiting);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', aborted, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', aborted);
    }
  }

  /** Number of running and of waiting jobs, and the maximum number of running jobs. */
  get load(): { running: number; waiting: number; width: number } {
    const running = [...this.inside.values()].reduce((sum, count) => sum + count, 0);
    return { running, waiting: this.countWaiting(), width: this.settings.width };
  }

  private get hasRoom(): boolean {
    return this.load.running < this.settings.width;
  }

  private countWaiting(): number {
    return [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  private canEnter(owner: string): boolean {
    return (this.inside.get(owner) ?? 0) < this.settings.widthForOne;
  }

  private count(owner: string, more: number): void {
    const count = (this.inside.get(owner) ?? 0) + more;
    if (count > 0) {
      this.inside.set(owner, count);
    } else {
      this.inside.delete(owner);
    }
  }

  /** Gives a free slot to the next job that can use it. */
  private letNextIn(): void {
    const next = [...this.waiting].find(([owner]) => this.canEnter(owner));
    if (next === undefined) return;
    const [owner, [first, ...rest]] = next;
    // Moves the owner to the end, which implements the round-robin.
    this.waiting.delete(owner);
    if (rest.length > 0) this.waiting.set(owner, rest);
    this.count(owner, 1);
    first?.enter();
  }

  private remove(owner: string, gone: Waiting): void {
    const rest = (this.waiting.get(owner) ?? []).filter((waiting) => waiting !== gone);
    if (rest.length > 0) {
      this.waiting.set(owner, rest);
    } else {
      this.waiting.delete(owner);
    }
  }
}

const MIB = 1024 * 1024;
const MAX_JOBS = 100;
/**
 * Maximum memory that a process can use after a job. A process that uses more memory isn't reused.
 */
const MAX_HELD_BYTES = 300 * MIB;
const IDLE_MS = 60_000;
const MAX_IDLE = 2;
/** Memory that a process can use in addition to DuckDB's limit. */
const PROCESS_BYTES_MORE = 448 * MIB;

const READS = { width: 2, widthForOne: 2 };
const ONE_BY_ONE = { width: 1, widthForOne: 1, maxWaiting: Number.POSITIVE_INFINITY };

/** Resource limits of queries. Tests use lower limits. */
export interface QueryLimits {
  /** Maximum number of concurrent queries. */
  queries: number;
  /** Maximum number of concurrent queries per organization. */
  queriesPerOrganization: number;
  /** Maximum number of waiting queries. */
  waiting: number;
  /**
   * Maximum number of seconds of work without a new row. When it is exceeded, the query is aborted.
   */
  seconds: number;
  /**
   * Maximum total number of seconds of work. When it is exceeded, the query is aborted. Excludes
   * the time during which rows are being consumed.
   */
  allSeconds: number;
  /**
   * Maximum number of seconds for a lake maintenance job. When it is exceeded, the job is aborted.
   */
  maintenanceSeconds: number;
  /** Maximum memory of DuckDB per job. */
  memoryBytes: number;
}

const DEFAULT_LIMITS: QueryLimits = {
  queries: 3,
  queriesPerOrganization: 2,
  waiting: 256,
  seconds: 60,
  allSeconds: 600,
  maintenanceSeconds: 600,
  memoryBytes: Math.min(Math.max(machineMemory() / 16, 512 * MIB), 2048 * MIB),
};

export interface QueryProcessesOptions {
  /** Path of the bundled query process program. If absent, every job fails. */
  program: string | undefined;
  /** True if this node doesn't have the role to run queries, so that every job fails. */
  isTurnedOff?: boolean | undefined;
  limits?: Partial<QueryLimits> | undefined;
  logger: Logger;
}

/**
 * Runs jobs in separate processes, a few of them concurrently. Each process runs one job at a time.
 */
export class QueryProcesses implements JobRunner, BatchRunner {
  private readonly limits: QueryLimits;
  private readonly queries: JobLane;
  private readonly sealing: JobLane;
  private readonly merging: JobLane;
  private readonly reading: JobLane;
  private readonly idle = new Map<JobProcess, NodeJS.Timeout>();
  private readonly all = new Set<JobProcess>();
  private closed = false;
  private engineIsMissing = false;

  constructor(private readonly options: QueryProcessesOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    const { queries, queriesPerOrganization, waiting } = this.limits;
    this.queries = new JobLane({
      width: queries,
      widthForOne: queriesPerOrganization,
      maxWaiting: waiting,
    });
    // Separate from queries and merges, so that neither delays the sealing that other queries are
    // waiting for.
    this.sealing = new JobLane(ONE_BY_ONE);
    this.merging = new JobLane(ONE_BY_ONE);
    // Separate from queries, because pages of old readings take only a fraction of a second.
    this.reading = new JobLane({ ...READS, maxWaiting: waiting });
  }

  /** IDs of all query processes, including idle ones. */
  get processIds(): number[] {
    return [...this.all].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /**
   * True if queries can run: the program is there, and the last process started and could load the
   * query engine.
   */
  get isAvailable(): boolean {
    const { program } = this.options;
    return (
      !this.isTurnedOff &&
      !this.closed &&
      !this.engineIsMissing &&
      program !== undefined &&
      existsSync(program)
    );
  }

  /** True if this node doesn't have the role to run queries. */
  get isTurnedOff(): boolean {
    return this.options.isTurnedOff === true;
  }

  /** Load of queries and of the two kinds of lake maintenance. */
  get load() {
    return {
      queries: this.queries.load,
      sealing: this.sealing.load,
      merging: this.merging.load,
    };
  }

  async *run(job: QueryJob, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    for await (const documents of this.runBatches(job, signal)) {
      yield* documentsIn(documents);
    }
  }

  async *runBatches(job: QueryJob, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const isQuery = job.kind === 'sql' || job.kind === 'pipeline' || job.kind === 'read';
    const { seconds, allSeconds, maintenanceSeconds, memoryBytes } = this.limits;
    const lane = this.laneOf(job);
    const leave = await lane.enter(getOwner(job), signal);
    try {
      const process = this.take(job.kind === 'read');
      try {
        // Uses all processors. The operating system prefers the service, which has a higher
        // priority.
        const limits: JobLimits = { memoryBytes, threads: availableParallelism() };
        const time = isQuery
          ? { seconds, allSeconds, signal }
          : { seconds: maintenanceSeconds, allSeconds: maintenanceSeconds, signal };
        yield* process.run({ job, limits }, time);
        this.engineIsMissing = false;
      } catch (error) {
        // Other errors, such as a canceled query, don't show that the engine is there.
        if (process.failedToStart || ConnectError.from(error).code === Code.Unimplemented) {
          this.engineIsMissing = true;
        }
        throw error;
      } finally {
        this.release(process);
      }
    } finally {
      leave();
    }
  }

  /** Stops all processes and their jobs. Later jobs fail. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.all].map((process) => process.end()));
  }

  private laneOf({ kind }: QueryJob): JobLane {
    switch (kind) {
      case 'sql':
      case 'pipeline':
        return this.queries;
      case 'seal':
      case 'check':
        return this.sealing;
      case 'merge':
        return this.merging;
      case 'read':
        return this.reading;
    }
  }

  /** @param isRead true if the job is part of a call that every node handles. */
  private take(isRead: boolean): JobProcess {
    if (this.closed) throw unavailable('the service is stopping: try again later');
    if (this.isTurnedOff && !isRead) {
      throw queriesUnavailable(
        "this node of the service doesn't run them, so its operator must send queries to a node with --role query",
      );
    }
    for (const [process, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(process);
      if (process.usable) {
        process.setKeepsAlive(true);
        return process;
      }
      this.all.delete(process);
    }
    return this.start();
  }

  private start(): JobProcess {
    const { program, logger } = this.options;
    if (program === undefined || !existsSync(program)) {
      throw queriesUnavailable('the program that runs them is missing');
    }
    const maxProcessBytes = this.limits.memoryBytes + PROCESS_BYTES_MORE;
    const process = new JobProcess({ program, maxProcessBytes, logger });
    this.all.add(process);
    return process;
  }

  private release(process: JobProcess): void {
    const { usable, jobs, residentBytes } = process;
    const isGood = usable && jobs < MAX_JOBS && residentBytes < MAX_HELD_BYTES;
    if (isGood && this.idle.size < MAX_IDLE && !this.closed) {
      this.retain(process);
      return;
    }
    this.drop(process);
    if (this.idle.size === 0 && !this.closed) {
      // Starts a process in advance, so that the next job doesn't have to wait for it.
      this.retain(this.start());
    }
  }

  private retain(process: JobProcess): void {
    process.setKeepsAlive(false);
    this.idle.set(process, setTimeout(() => this.drop(process), IDLE_MS).unref());
  }

  private drop(process: JobProcess): void {
    this.idle.delete(process);
    void process.end().then(() => this.all.delete(process));
  }
}

/** Returns a key of the organization whose jobs share slots. Other jobs have a folder for each. */
function getOwner(job: QueryJob): string {
  if (job.kind === 'read') return job.organizationId;
  return job.kind === 'sql' || job.kind === 'pipeline'
    ? job.readings.organizationId
    : job.directory;
}
