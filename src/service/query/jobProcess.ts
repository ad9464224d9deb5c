import { ConnectError } from '@connectrpc/connect';
import { create } from '@bufbuild/protobuf';
import type { Logger } from '../../base/logger';
import { ProgramProcess } from '../../processes/programProcess';
import {
  type ErrorLocation,
  type Frame,
  frameBytes,
  type JobFailure,
  type JobMessage,
  jobMessageBytes,
  readFrames,
  readJobEnd,
} from './jobMessages';
import { notStarted, tooLong, toProcessError } from './toProcessError';
import { type QueryPlace, QueryPlaceSchema } from '../../gen/fleetwright/query/v1/query_pb';

export interface JobProcessSettings {
  /** Path of the bundled query process program. */
  program: string;
  /** The process's memory limit in bytes. The process exits if it exceeds the limit. */
  maxProcessBytes: number;
  logger: Logger;
}

/** Startup timeout in milliseconds, which is long enough for a busy computer. */
const START_MS = 30_000;

/** Timeouts for a job. They exclude the time during which its documents are being consumed. */
export interface JobTime {
  /** Maximum time in seconds until the next documents are available. */
  seconds: number;
  /** Maximum time in seconds for the whole job. */
  allSeconds: number;
  /** Signal that aborts the job immediately. */
  signal: AbortSignal | undefined;
}

/** Process that runs one job at a time. */
export class JobProcess {
  private readonly process: ProgramProcess;
  private readonly child: ProgramProcess['child'];
  private readonly frames: AsyncGenerator<Frame, void>;
  private jobCount = 0;
  private isUsable = true;
  private heldBytes = 0;
  private ready = false;
  private hasFailedToStart = false;

  constructor(private readonly settings: JobProcessSettings) {
    const { program, maxProcessBytes: maxBytes } = settings;
    const ended = (): void => {
      this.isUsable = false;
    };
    this.process = new ProgramProcess({ program, maxBytes, ended });
    this.child = this.process.child;
    this.frames = readFrames(this.child.stdout.iterator({ destroyOnReturn: false }));
  }

  /** Number of jobs that the process has received. */
  get jobs(): number {
    return this.jobCount;
  }

  /** Memory in bytes that the process used after its last job. */
  get residentBytes(): number {
    return this.heldBytes;
  }

  /** True if the process can accept a job: it is running, and its last job completed normally. */
  get usable(): boolean {
    return this.isUsable;
  }

  /** True if the process exited or took too long before it was ready for its first job. */
  get failedToStart(): boolean {
    return this.hasFailedToStart;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * Runs a job and yields chunks of concatenated documents. Terminates the process if the iteration
   * stops early, the signal aborts, or a timeout expires.
   * @throws ConnectError
   */
  async *run(
    message: JobMessage,
    { seconds, allSeconds, signal }: JobTime,
  ): AsyncGenerator<Buffer, void> {
    this.jobCount += 1;
    this.isUsable = false;
    let reason: Error | undefined;
    const stop = (why: Error): void => {
      reason ??= why;
      this.child.kill('SIGKILL');
    };
    const aborted = (): void => stop(signal?.reason as Error);
    let timer = setTimeout(() => stop(notStarted()), START_MS);
    signal?.addEventListener('abort', aborted, { once: true });
    let ended = false;
    try {
      signal?.throwIfAborted();
      this.send(message);
      if (!this.ready && (await this.next())?.type !== 'ready') {
        this.hasFailedToStart = signal?.aborted !== true;
        throw reason ?? (await this.fault());
      }
      this.ready = true;
      clearTimeout(timer);
      let left = allSeconds * 1000;
      for (;;) {
        const since = performance.now();
        const [wait, limit] =
          left < seconds * 1000 ? [left, allSeconds] : [seconds * 1000, seconds];
        timer = setTimeout(() => stop(tooLong(limit)), Math.max(wait, 0));
        const frame = await this.next();
        clearTimeout(timer);
        left -= performance.now() - since;
        if (reason !== undefined) throw reason;
        if (frame?.type === 'documents') {
          yield frame.payload;
          continue;
        }
        if (frame?.type !== 'ended') throw await this.fault();
        ended = true;
        const { failure, residentBytes } = readJobEnd(frame.payload);
        this.heldBytes = residentBytes;
        if (failure !== undefined) throw toJobError(failure);
        return;
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      if (!ended) await this.end();
      this.logStderr();
      this.isUsable = ended && this.child.exitCode === null && this.child.signalCode === null;
    }
  }

  /** Terminates the process immediately and waits until it has exited. */
  async end(): Promise<void> {
    this.isUsable = false;
    this.setKeepsAlive(true);
    await this.process.terminate();
  }

  /** Sets whether the idle child process prevents this process from exiting. */
  setKeepsAlive(keepAlive: boolean): void {
    const { stdin, stdout, stderr } = this.child;
    for (const handle of [this.child, stdin, stdout, stderr] as { ref(): void; unref(): void }[]) {
      if (keepAlive) handle.ref();
      else handle.unref();
    }
  }

  private send(message: JobMessage): void {
    for (const chunk of frameBytes('job', jobMessageBytes(message))) {
      this.child.stdin.write(chunk);
    }
  }

  private async next(): Promise<Frame | undefined> {
    try {
      const { value } = await this.frames.next();
      return value ?? undefined;
    } catch {
      // The process exited in the middle of a frame, or wrote something other than a frame.
      return undefined;
    }
  }

  private async fault(): Promise<ConnectError> {
    await this.end();
    return toProcessError(this.process.stderr);
  }

  private logStderr(): void {
    const stderr = this.process.takeStderr();
    if (stderr !== '') this.settings.logger.warn('query process', { stderr });
  }
}

/**
 * Converts a job's failure to an error for the caller. The error details contain the position in
 * the query in machine-readable form.
 */
function toJobError({ code, message, location }: JobFailure): ConnectError {
  return new ConnectError(message, code, undefined, location && [toErrorDetail(location)]);
}

function toErrorDetail(location: ErrorLocation) {
  const value: QueryPlace = create(QueryPlaceSchema, {
    place:
      'stage' in location
        ? { case: 'stage', value: { stage: location.stage, path: [...location.path] } }
        : { case: 'text', value: location },
  });
  return { desc: QueryPlaceSchema, value };
}
