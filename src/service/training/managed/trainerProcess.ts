import { createInterface } from 'node:readline';
import type { Logger } from '../../../base/logger';
import { ProgramProcess } from '../../../processes/programProcess';
import { mebibytes, minutes } from './formatQuantity';
import { TrainingError, type TrainingLine } from '../trainingRunner';
import {
  MEMORY_MARK,
  readTrainerMessage,
  type TrainerJob,
  trainerMessageLine,
} from './trainerMessages';

const MEMORY_SIGNS = [MEMORY_MARK, 'heap out of memory', 'bad_alloc'];

export interface TrainerProcessSettings {
  /** Path of the bundled training process program. */
  program: string;
  /** Memory limit for the process, which exits if it exceeds the limit. */
  memoryBytes: number;
  logger: Logger;
}

export interface TrainerTime {
  /** Number of seconds after which the process is killed. */
  seconds: number;
  /** Signal that aborts the job immediately. */
  signal: AbortSignal;
  log: (line: TrainingLine) => Promise<void>;
}

/** A process that runs one training job. */
export class TrainerProcess implements AsyncDisposable {
  private readonly process: ProgramProcess;

  constructor(private readonly settings: TrainerProcessSettings) {
    const { program, memoryBytes: maxBytes } = settings;
    this.process = new ProgramProcess({ program, maxBytes });
  }

  /**
   * Runs the training job to completion.
   * @throws TrainingError if the job produced no model; the signal's reason if the signal aborted
   *   the job.
   */
  async run(job: TrainerJob, { seconds, signal, log }: TrainerTime): Promise<void> {
    let reason: unknown;
    const stop = (why: unknown): void => {
      reason ??= why;
      this.process.child.kill('SIGKILL');
    };
    const aborted = (): void => stop(signal.reason);
    signal.addEventListener('abort', aborted, { once: true });
    const timer = setTimeout(() => stop(tooLong(seconds)), seconds * 1000);
    try {
      signal.throwIfAborted();
      this.process.child.stdin.write(trainerMessageLine(job));
      const failure = await this.follow(log);
      if (failure !== undefined) throw new TrainingError(failure);
    } catch (error) {
      // If this class killed the process, the last line of its output can be incomplete.
      throw reason ?? error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    }
  }

  /** Kills the process immediately and waits until it has exited. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.terminate();
    const stderr = this.process.takeStderr();
    if (stderr !== '') this.settings.logger.warn('training process', { stderr });
  }

  /**
   * Passes on the process's log lines until it exits, and returns the reason for a failure, if any.
   */
  private async follow(log: (line: TrainingLine) => Promise<void>): Promise<string | undefined> {
    for await (const text of createInterface({ input: this.process.child.stdout })) {
      const message = readTrainerMessage(text);
      if (message.kind === 'ended') return message.failure;
      await log(message.line);
    }
    await this.process.exited;
    return this.fault();
  }

  private fault(): string {
    return MEMORY_SIGNS.some((sign) => this.process.stderr.includes(sign))
      ? `Training exceeded the memory limit of ${mebibytes(this.settings.memoryBytes)}. Use fewer or smaller images.`
      : 'The training process exited unexpectedly. Submit the job again. The operator of the service can find the reason in its log.';
  }
}

function tooLong(seconds: number): TrainingError {
  return new TrainingError(
    `Training was stopped after the time limit of ${minutes(seconds)}. Use fewer images or labels.`,
  );
}
