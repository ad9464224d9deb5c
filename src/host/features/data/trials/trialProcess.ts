import { createInterface } from 'node:readline';
import { jsonLine } from '../../../../base/jsonLine';
import { FleetError } from '../../../../core/api/errors';
import type {
  Prediction,
  TrialImage,
  TrialJob,
  TrialMessage,
  TrialModel,
} from '../../../../core/model/modelTrial';
import { ProgramProcess } from '../../../../processes/programProcess';

/**
 * Memory limit in bytes at which the process exits. Decoding an image with many megapixels uses
 * most of this memory.
 */
const MAX_MEMORY_BYTES = 1536 * 1024 * 1024;

/** User-facing messages for failed trials. */
export interface TrialMessages {
  /** The weights don't match this version's network architectures. */
  readonly rejected: string;
  /** The file is not an image, or the image is damaged or too large. */
  readonly unreadable: string;
  /** The process has exited. */
  readonly exited: string;
}

interface TrialProcessOptions {
  /** Path of the bundled program for training processes. */
  readonly program: string;
  readonly messages: TrialMessages;
  /** Kills the process when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Separate process that runs a model on images. It isolates the decoding of untrusted images and
 * can be killed. It writes nothing to disk.
 */
export class TrialProcess implements AsyncDisposable {
  private readonly process: ProgramProcess;
  private readonly answers: AsyncIterableIterator<string>;
  private exited = false;

  private constructor(
    readonly model: Pick<TrialModel, 'task' | 'labels'>,
    private readonly options: TrialProcessOptions,
  ) {
    const { program, signal } = options;
    this.process = new ProgramProcess({ program, maxBytes: MAX_MEMORY_BYTES });
    const { child } = this.process;
    this.answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const kill = (): boolean => child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    void this.process.exited.then(() => signal.removeEventListener('abort', kill));
  }

  /** True if an image got no response because the process has exited. */
  get hasExited(): boolean {
    return this.exited;
  }

  /**
   * Starts a process and waits until it has loaded the model. Throws `FleetError`, or the signal's
   * reason if the signal aborts.
   */
  static async start(model: TrialModel, options: TrialProcessOptions): Promise<TrialProcess> {
    options.signal.throwIfAborted();
    const started = new TrialProcess(model, options);
    try {
      const { kind } = await started.exchange({ kind: 'trial', model });
      if (kind !== 'ready') throw new FleetError('unsupported', options.messages.rejected);
    } catch (error) {
      await started[Symbol.asyncDispose]();
      throw error;
    }
    return started;
  }

  /**
   * Predicts an image's labels, most confident first. Processes one image at a time. Throws
   * `invalid` for a file that is not an image, `unavailable` if the process has exited, or the
   * signal's reason.
   */
  async predict(file: Uint8Array): Promise<readonly Prediction[]> {
    const { buffer, byteOffset, byteLength } = file;
    const image = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
    const answer = await this.exchange({ image });
    if (answer.kind === 'predictions') return answer.predictions;
    throw new FleetError('invalid', this.options.messages.unreadable);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.terminate();
  }

  private async exchange(line: TrialJob | TrialImage): Promise<TrialMessage> {
    const { signal, messages } = this.options;
    this.process.child.stdin.write(`${jsonLine(line)}\n`);
    const { value } = (await this.answers.next()) as IteratorResult<string, undefined>;
    signal.throwIfAborted();
    if (value === undefined) {
      this.exited = true;
      throw new FleetError('unavailable', messages.exited);
    }
    return JSON.parse(value) as TrialMessage;
  }
}
