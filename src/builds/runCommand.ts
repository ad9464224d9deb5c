import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { constants } from 'node:os';
import { type Readable, type Transform, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { signalAll, signalTree, withDescendants } from './signalTree';
import { PathRebaser } from './pathRebaser';

/**
 * Error thrown when a build fails. Its message is a sentence for the reader of the build output.
 */
export class BuildError extends Error {
  override readonly name = 'BuildError';

  /**
   * @param exitCode exit code of the failed command, with which the program that runs the build
   *   also exits
   */
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** A manifest's command and its working directory. */
export interface BuildCommand {
  /** The command in shell syntax, exactly as the user wrote it in the manifest. */
  readonly command: string;
  /** The manifest's folder. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Base folder for paths in the output; absent for the manifest's folder. */
  readonly outer?: string | undefined;
  /** True to write the command's output only to stderr, because stdout is reserved for a result. */
  readonly isStdoutReserved?: boolean | undefined;
}

/** Source of the signals that stop a build from outside: the process that runs the build. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  readonly stdin: { readonly isTTY?: boolean };
}

/** Signals that stop a build from outside, for example when its terminal is closed. */
const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];

/**
 * Offset of exit codes for signals. If a signal n ended a command, shells report the exit code `128
 * + n`.
 */
const SIGNAL_EXIT_CODE = 128;

/**
 * Runs a command in the shell that public tools use. The command inherits this program's input and
 * output, so it has a terminal if this program has one. Paths can be rewritten only when this
 * program pipes the output. Nothing is interpolated into the command, which receives values through
 * the environment.
 *
 * @throws BuildError when the command can't start or fails, with its exit code
 */
export async function runCommand(
  { command, folder, environment, outer = folder, isStdoutReserved = false }: BuildCommand,
  signals: SignalSource = process,
): Promise<void> {
  const shell = getShell(process.platform);
  const stdout = isStdoutReserved ? process.stderr : process.stdout;
  const stdio: StdioOptions =
    outer === folder ? ['inherit', stdout.fd, 'inherit'] : ['inherit', 'pipe', 'pipe'];
  // A terminal sends Ctrl+C to every foreground process, even if the process's input is redirected.
  // In its own process group, the command receives only the forwarded signals, each of them once.
  const isForwarded = signals.stdin.isTTY !== true;
  const detached = isForwarded && process.platform !== 'win32';
  let child: ChildProcess | undefined;
  const getRunningPid = (): number | undefined =>
    child?.exitCode === null && child.signalCode === null ? child.pid : undefined;
  const forward = (signal: NodeJS.Signals): void => {
    const pid = getRunningPid();
    if (pid !== undefined) signalTree(pid, signal);
  };
  // If the command's input is a terminal, the command receives Ctrl+C from that terminal, but
  // background jobs that shells start ignore the signal.
  let background: readonly number[] = [];
  const interrupt = (): void => {
    const pid = getRunningPid();
    if (pid === undefined) return;
    if (process.platform !== 'win32') background = withDescendants(pid);
    if (isForwarded) signalTree(pid, 'SIGINT');
  };
  // Listen before the command starts. Otherwise, an earlier signal would end this program but leave
  // the command running.
  signals.on('SIGINT', interrupt);
  for (const signal of FORWARDED) signals.on(signal, forward);
  const written: Promise<void>[] = [];
  try {
    const started = spawn(command, { cwd: folder, env: environment, stdio, shell, detached });
    child = started;
    started.once('exit', () => signalAll(background, 'SIGTERM'));
    written.push(
      pass(started.stdout, new PathRebaser(folder, outer), stdout),
      pass(started.stderr, new PathRebaser(folder, outer), process.stderr),
    );
    await new Promise<void>((resolve, reject) => {
      started.once('error', (cause) =>
        reject(new BuildError(`Couldn't start the command in ${shell}: ${cause.message}`)),
      );
      started.once('close', (code, signal) => {
        if (code === 0) resolve();
        else reject(ended(code, signal));
      });
    });
  } finally {
    await Promise.all(written);
    signals.off('SIGINT', interrupt);
    for (const signal of FORWARDED) signals.off(signal, forward);
  }
}

/** Returns the shell that a manifest's commands are written for. */
export function getShell(platform: NodeJS.Platform): string {
  return platform === 'win32' ? 'cmd.exe' : 'bash';
}

/** Pipes a command's output and leaves the destination open for later output. */
async function pass(from: Readable | null, through: Transform, to: Writable): Promise<void> {
  if (!from) return;
  from.pipe(through).pipe(to, { end: false });
  await finished(through, { writable: false }).catch(() => undefined);
}

function ended(code: number | null, signal: NodeJS.Signals | null): BuildError {
  return signal
    ? new BuildError(
        `The command was terminated by ${signal}.`,
        SIGNAL_EXIT_CODE + constants.signals[signal],
      )
    : new BuildError(`The command failed with exit code ${String(code)}.`, code ?? 1);
}
