import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { rmSync } from 'node:fs';
import { signalGroup } from '../builds/signalTree';
import { withoutOwnVariables } from '../builds/ownVariables';

/** First argument that instructs the program to supervise a module. */
export const SUPERVISE = 'supervise';

/**
 * Retries are necessary because killed programs can briefly lock files, and can still create files
 * before they have exited.
 */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;

/** Request to start the module, sent once. */
export interface SuperviseRequest {
  /** Absolute path of the entrypoint. */
  readonly path: string;
  /** Address to listen on. */
  readonly address: string;
  /** Folder with the run's files. The supervisor deletes it if the parent process has exited. */
  readonly runFolder: string;
}

/** Events from the module, which the supervisor sends to its parent process. */
export type SuperviseEvent =
  | { readonly kind: 'started'; readonly id: number }
  | { readonly kind: 'startFailed'; readonly reason: string }
  /** Contains the signal or the exit code as text. */
  | { readonly kind: 'exited'; readonly exit: string };

/**
 * Starts a module. When the channel to the parent process closes, stops the module and all
 * processes that it has started. This is necessary because no operating system terminates a program
 * when its parent is killed. Windows terminates only child processes, so the module must be the
 * child of a process that survives.
 */
export function supervise(): void {
  let runFolder: string | undefined;
  let end = (): void => undefined;
  process.once('message', (request: SuperviseRequest) => {
    ({ runFolder } = request);
    const child = start(request);
    if (!child) return;
    const { pid } = child;
    if (pid !== undefined) {
      end = () => signalGroup(pid, 'SIGKILL');
      send({ kind: 'started', id: pid });
    }
    child.once('error', failToStart);
    child.once('exit', (code, signal) => {
      // Otherwise, processes that the module has started would keep running. On Windows, another
      // process might already have the module's ID.
      if (process.platform !== 'win32') end();
      end = () => undefined;
      finish({ kind: 'exited', exit: signal ?? `exit code ${String(code)}` });
    });
  });
  process.once('disconnect', () => {
    end();
    try {
      if (runFolder !== undefined) rmSync(runFolder, REMOVAL);
    } finally {
      process.exit();
    }
  });
}

/**
 * Returns the module's process; undefined if the system immediately refuses to start the program.
 */
function start({ path, address }: SuperviseRequest): ChildProcess | undefined {
  const { program, args, options } = toEntrypointCommand(path, address, process.platform);
  try {
    return spawn(program, args, {
      ...options,
      env: withoutOwnVariables(process.env),
      stdio: ['ignore', 'inherit', 'inherit'],
      windowsHide: true,
    });
  } catch (error) {
    // This happens on Windows, for example, if the file is not a program.
    failToStart(error instanceof Error ? error : new Error(String(error)));
    return undefined;
  }
}

function failToStart({ message: reason }: Error): void {
  finish({ kind: 'startFailed', reason });
}

function send(event: SuperviseEvent, sent: () => void = () => undefined): void {
  if (process.connected) process.send?.(event, sent);
}

function finish(event: SuperviseEvent): void {
  send(event, () => process.exit());
}

/** Parameters for `spawn`. */
export interface EntrypointCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: Pick<SpawnOptions, 'detached' | 'windowsVerbatimArguments'>;
}

const BATCH_FILE = /\.(?:bat|cmd)$/i;

/**
 * Returns the command that starts an entrypoint. Except on Windows, the entrypoint runs in its own
 * process group. On Windows, the command interpreter starts batch files, which are not executable
 * programs.
 *
 * @param path absolute path of the entrypoint
 * @param address address to listen on: a socket path, or `host:port` on Windows
 */
export function toEntrypointCommand(
  path: string,
  address: string,
  platform: NodeJS.Platform,
): EntrypointCommand {
  if (platform !== 'win32') return { program: path, args: [address], options: { detached: true } };
  if (!BATCH_FILE.test(path)) {
    return { program: path, args: [address], options: { detached: false } };
  }
  return {
    program: 'cmd.exe',
    // With /s, the interpreter removes only the outer quotes, so the path stays quoted.
    args: ['/d', '/s', '/c', `""${path}" ${address}"`],
    options: { detached: false, windowsVerbatimArguments: true },
  };
}
