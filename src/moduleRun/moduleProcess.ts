import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup } from '../builds/signalTree';
import { RunFailure } from './runFailure';

/** Lines that a failure to start quotes. */
const MAX_LAST_LINES = 10;
const MAX_LINE_LENGTH = 10_000;
/** A module that was asked to end is killed after this time, as a machine does it. */
const STOP_TIMEOUT_MS = 10_000;
/** The rest of the output of a module that has exited is read for this time. */
const OUTPUT_TIMEOUT_MS = 1_000;

/** The program to start, and its surroundings. */
export interface ModuleProgram {
  readonly folder: string;
  /** Relative to the folder. */
  readonly entrypoint: string;
  /** The address to listen on. */
  readonly address: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly stopTimeoutMs?: number | undefined;
  /** Receives each line that the module writes. */
  readonly log: (line: string) => void;
}

/** A started module: a process group of its own, so that it ends with all that it has started. */
export class ModuleProcess {
  /** Resolves with a description of how the module exited. */
  readonly exited: Promise<string>;
  private readonly lines: string[] = [];
  private isRunning = true;

  private constructor(
    private readonly child: ChildProcess,
    private readonly program: ModuleProgram,
  ) {
    for (const stream of [child.stdout, child.stderr]) if (stream) this.follow(stream);
    child.once('exit', () => {
      this.isRunning = false;
      // What it has started would hold its output open, and run on.
      this.signal('SIGKILL');
      // What left the group holds it open all the same.
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, OUTPUT_TIMEOUT_MS).unref();
    });
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve(signal ?? `exit code ${String(code)}`));
    });
  }

  /** @throws RunFailure when the entrypoint is missing, not executable, or no program */
  static async start(program: ModuleProgram): Promise<ModuleProcess> {
    const { folder, entrypoint, platform, address, environment } = program;
    const path = resolve(folder, entrypoint);
    await requireExecutable(path, entrypoint, platform);
    const child = spawn(path, [address], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: platform !== 'win32',
      windowsHide: true,
    });
    const started = new ModuleProcess(child, program);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', ({ message: reason }) =>
        reject(new RunFailure({ kind: 'startFailed', entrypoint, reason })),
      );
    });
    return started;
  }

  /** The last lines that the module wrote. */
  get lastLines(): readonly string[] {
    return this.lines;
  }

  /** Ends the module and all that it has started, and resolves when none of it runs. */
  async stop(): Promise<void> {
    if (this.isRunning) {
      this.signal('SIGTERM');
      const waiting = new AbortController();
      const timeout = sleep(this.program.stopTimeoutMs ?? STOP_TIMEOUT_MS, undefined, {
        signal: waiting.signal,
      });
      await Promise.race([this.exited, timeout.catch(() => undefined)]);
      waiting.abort();
      this.signal('SIGKILL');
    }
    await this.exited;
  }

  private signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    // Windows has no groups, and may give the ID of a process that has exited to another.
    if (this.program.platform === 'win32' && !this.isRunning) return;
    signalGroup(pid, signal);
  }

  private follow(stream: Readable): void {
    createInterface({ input: stream }).on('line', (text) => {
      const line = text.slice(0, MAX_LINE_LENGTH);
      this.lines.push(line);
      if (this.lines.length > MAX_LAST_LINES) this.lines.shift();
      this.program.log(line);
    });
  }
}

async function requireExecutable(
  path: string,
  entrypoint: string,
  platform: NodeJS.Platform,
): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (!status?.isFile()) throw new RunFailure({ kind: 'entrypointMissing', entrypoint });
  if (platform === 'win32') return;
  await access(path, constants.X_OK).catch(() => {
    throw new RunFailure({ kind: 'entrypointNotExecutable', entrypoint });
  });
}
