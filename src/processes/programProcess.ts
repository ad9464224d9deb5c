import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { cleanEnvironment } from './cleanEnvironment';

const MAX_HEAP_MIB = 512;
/** How much of what a process says of its faults is kept. */
const MAX_STDERR = 2 * 1024;

interface ProgramSettings {
  /** Bundled; it begins with `startGuard`. */
  program: string;
  /** The process ends itself when it holds more. */
  maxBytes: number;
  /** Hears at once that the process is gone, or could not be started. */
  ended?: (() => void) | undefined;
}

/** A process that runs a program of ours with the running Node, and with none of the service's secrets. */
export class ProgramProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Settles when it is gone, or could not be started. */
  readonly gone: Promise<void>;
  #stderr = '';

  constructor({ program, maxBytes, ended }: ProgramSettings) {
    const heap = `--max-old-space-size=${String(MAX_HEAP_MIB)}`;
    this.child = spawn(process.execPath, [heap, program, String(maxBytes)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: dirname(program),
      env: cleanEnvironment(),
      windowsHide: true,
    });
    const { stdin, stderr } = this.child;
    this.gone = new Promise((resolve) => {
      const over = (): void => {
        ended?.();
        resolve();
      };
      this.child.once('close', over).once('error', over);
    });
    // A process that ended in the meantime is noticed where its answer is read.
    stdin.on('error', () => undefined);
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR);
    });
  }

  /** The last that it said of its faults. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The same, which is forgotten then. */
  takeStderr(): string {
    const taken = this.#stderr;
    this.#stderr = '';
    return taken;
  }

  /** Ends it at once and waits until it is gone. */
  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    // What nobody reads would keep its pipe open.
    this.child.stdout.destroy();
    await this.gone;
  }
}
