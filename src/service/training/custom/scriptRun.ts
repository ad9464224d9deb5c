import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode } from '../../../base/errorCode';
import { endMarked, groupBytes, signalGroup } from './scriptProcesses';
import { mebibytes, minutes } from '../managed/formatQuantity';
import { TrainingError } from '../trainingRunner';
import { machineMemory } from '../../processes/processGuard';

/**
 * Timeout in milliseconds for reading the remaining output after all processes that can write to it
 * have exited.
 */
const REST_MS = 30_000;

export interface ScriptCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly workFolder: string;
  /** Folders that the script can write to. Disk usage in these folders is limited. */
  readonly folders: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Marker in the environment of the script's processes. No other processes have it. */
  readonly mark: string;
  readonly limits: ScriptLimits;
}

export interface ScriptEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Running script, including all processes that it starts. It runs at a lower priority than the
 * service.
 */
export class ScriptRun {
  private readonly child: ChildProcessByStdio<null, Readable, Readable>;
  private readonly exit: Promise<ScriptEnd>;
  private readonly over = new AbortController();
  private reason: Error | undefined;

  constructor(private readonly command: ScriptCommand) {
    this.child = spawn(command.program, command.arguments, {
      cwd: command.workFolder,
      env: command.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Uses a separate process group, so that all of the script's processes can be terminated.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.exit = waitForExit(this.child);
    const { pid } = this.child;
    if (pid !== undefined) lower(pid);
  }

  /**
   * Waits until the script and all processes that it started have exited.
   * @param read consumes the output from one of the script's streams.
   * @throws TrainingError if the script exceeded a limit; the signal's reason if the signal is
   *   aborted.
   */
  async finished(
    signal: AbortSignal,
    read: (stream: 'stdout' | 'stderr', bytes: Readable) => Promise<void>,
  ): Promise<ScriptEnd> {
    const { stdout, stderr } = this.child;
    const aborted = (): void => void this.stop(signal.reason as Error);
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) aborted();
    // After a read error, the script is also stopped, because its output is no longer being read.
    const reading = Promise.all([read('stdout', stdout), read('stderr', stderr)]).catch(
      (error: unknown) => this.stop(error as Error),
    );
    const watching = this.watch().catch((error: unknown) => this.stop(error as Error));
    try {
      const end = await this.exit;
      this.over.abort();
      await this.endAll();
      await Promise.race([reading, delay(REST_MS, undefined, { ref: false })]);
      await watching;
      if (this.reason) throw this.reason;
      // Checks again, because files written since the last check would also be packed and stored.
      const excess = end.code === 0 ? await this.diskExcess() : undefined;
      if (excess !== undefined) throw new TrainingError(excess);
      return end;
    } finally {
      this.over.abort();
      signal.removeEventListener('abort', aborted);
      for (const stream of [stdout, stderr]) stream.destroy();
    }
  }

  /** Requests that all processes exit, and kills the remaining ones after a grace period. */
  private async stop(reason: Error): Promise<void> {
    if (this.reason !== undefined) return;
    this.reason = reason;
    const { pid } = this.child;
    if (pid === undefined || this.isOver()) return;
    await signalGroup(pid, 'SIGTERM');
    const { graceMs } = this.command.limits;
    await delay(graceMs, undefined, { signal: this.over.signal }).catch(() => undefined);
    if (!this.isOver()) await signalGroup(pid, 'SIGKILL');
  }

  private isOver(): boolean {
    return this.over.signal.aborted;
  }

  private async endAll(): Promise<void> {
    const { pid } = this.child;
    if (pid !== undefined) await signalGroup(pid, 'SIGKILL');
    await endMarked(this.command.mark);
  }

  private async watch(): Promise<void> {
    const { limits } = this.command;
    const since = performance.now();
    while (!this.isOver()) {
      const excess = await this.excess((performance.now() - since) / 1000);
      if (excess !== undefined) await this.stop(new TrainingError(excess));
      await delay(limits.checkIntervalMs, undefined, { signal: this.over.signal }).catch(
        () => undefined,
      );
    }
  }

  /**
   * Returns a description of the limit that the script exceeds; undefined if it exceeds no limit.
   */
  private async excess(seconds: number): Promise<string | undefined> {
    const { limits } = this.command;
    if (seconds > limits.seconds) {
      return `The training script exceeded the time limit of ${minutes(limits.seconds)} and was stopped. Train for fewer epochs or on fewer images.`;
    }
    const { pid } = this.child;
    const memory = pid === undefined ? 0 : ((await groupBytes(pid)) ?? 0);
    if (memory > limits.memoryBytes) {
      return `The training script exceeded the memory limit of ${mebibytes(limits.memoryBytes)} and was stopped. Change the script to read fewer or smaller images at a time.`;
    }
    return this.diskExcess();
  }

  private async diskExcess(): Promise<string | undefined> {
    const { limits, folders } = this.command;
    const usage = await Promise.all(folders.map((folder) => folderFacts(folder)));
    return usage.reduce((sum, { bytes }) => sum + bytes, 0) > limits.diskBytes
      ? `The training script wrote more than ${mebibytes(limits.diskBytes)}, which is the maximum. Change the script to save fewer files.`
      : undefined;
  }
}

function waitForExit(child: ChildProcess): Promise<ScriptEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process exited immediately.
  }
}

/** Resource limits for a training script. */
export interface ScriptLimits {
  readonly seconds: number;
  /** Memory limit for all of the script's processes together. */
  readonly memoryBytes: number;
  /** Disk limit for everything that the script writes to its folders. */
  readonly diskBytes: number;
  /**
   * Maximum number of files in the model. It is limited because the service stores all file names
   * in memory while it packs the files.
   */
  readonly modelFiles: number;
  /** Time in milliseconds between the request to exit and forced termination. */
  readonly graceMs: number;
  /** Interval in milliseconds between checks of memory and disk usage. */
  readonly checkIntervalMs: number;
}

const HOUR_SECONDS = 3600;
const GIB = 1024 ** 3;
/**
 * Share of the memory that scripts can use. The remainder is for the service and other programs.
 */
const MEMORY_SHARE = 0.75;

/** Returns the default limits for a script on this computer. */
export function usualLimits(): ScriptLimits {
  return {
    seconds: 12 * HOUR_SECONDS,
    memoryBytes: Math.floor(machineMemory() * MEMORY_SHARE),
    diskBytes: 8 * GIB,
    modelFiles: 20_000,
    graceMs: 5_000,
    checkIntervalMs: 2_000,
  };
}

export interface FolderFacts {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Returns information about the contents of a folder and its subfolders. Doesn't follow links.
 * Ignores files that are deleted while it reads the folder.
 */
export async function folderFacts(folder: string): Promise<FolderFacts> {
  let [files, bytes] = [0, 0];
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const within = await folderFacts(path);
        files += within.files;
        bytes += within.bytes;
      } else if (entry.isFile()) {
        files += 1;
        bytes += await getDiskSize(path);
      }
    }
  } catch (error) {
    if (!isInaccessible(error)) throw error;
  }
  return { files, bytes };
}

async function getDiskSize(path: string): Promise<number> {
  try {
    const { size, blocks } = await lstat(path);
    // A sparse file occupies less space than its size, but packing the file would read all of it.
    return Math.max(size, blocks * 512);
  } catch (error) {
    if (isInaccessible(error)) return 0;
    throw error;
  }
}

/** Returns true if a file was deleted in the meantime or isn't accessible. */
function isInaccessible(error: unknown): boolean {
  return ['ENOENT', 'EACCES', 'EPERM'].includes(getErrorCode(error) ?? '');
}
