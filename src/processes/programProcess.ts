import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const MAX_HEAP_MIB = 512;
/** Maximum number of characters of a process's error output to store. */
const MAX_STDERR = 2 * 1024;

interface ProgramSettings {
  /** Path of the bundled program, which must call `startGuard` first. */
  program: string;
  /** Memory limit at which the process exits on its own. */
  maxBytes: number;
  /** Called immediately when the process has exited or failed to start. */
  ended?: (() => void) | undefined;
}

/**
 * Process that runs one of our programs with the current Node.js executable, without any of the
 * service's secrets.
 */
export class ProgramProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when the process has exited or failed to start. */
  readonly exited: Promise<void>;
  private stderrText = '';

  constructor({ program, maxBytes, ended }: ProgramSettings) {
    const heap = `--max-old-space-size=${String(MAX_HEAP_MIB)}`;
    this.child = spawn(process.execPath, [heap, program, String(maxBytes)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: dirname(program),
      env: cleanEnvironment(),
      windowsHide: true,
    });
    const { stdin, stderr } = this.child;
    this.exited = new Promise((resolve) => {
      const over = (): void => {
        ended?.();
        resolve();
      };
      this.child.once('close', over).once('error', over);
    });
    // If the process has exited, the error surfaces when its response is read.
    stdin.on('error', () => undefined);
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderrText = (this.stderrText + text).slice(-MAX_STDERR);
    });
  }

  /** Last part of the process's error output. */
  get stderr(): string {
    return this.stderrText;
  }

  /** Returns the last part of the process's error output and clears it. */
  takeStderr(): string {
    const taken = this.stderrText;
    this.stderrText = '';
    return taken;
  }

  /** Kills the process and waits until it has exited. */
  async terminate(): Promise<void> {
    this.child.kill('SIGKILL');
    // Unread output would prevent the pipe from closing.
    this.child.stdout.destroy();
    await this.exited;
  }
}

/** Environment variables that a process requires. Other variables might contain secrets. */
const REQUIRED_VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'windir'];

/**
 * Returns an environment without secrets for a process that runs one of our programs with the
 * current Node.js executable.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const names = REQUIRED_VARIABLES.filter((name) => process.env[name] !== undefined);
  return {
    ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
    ...('electron' in process.versions && { ELECTRON_RUN_AS_NODE: '1' }),
  };
}
