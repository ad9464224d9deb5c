import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { signalGroup } from '../builds/signalTree';
import { SUPERVISE, type SuperviseEvent, type SuperviseRequest } from './supervisor';
import { englishLocalizer } from '../base/localizer';
import { formatRunProblem, type RunProblem } from '../core/modules/run/runMessages';

/** Maximum number of output lines quoted when the start fails. */
const MAX_LAST_LINES = 10;
/**
 * Time in milliseconds after which a module that hasn't stopped on request is killed, as on a real
 * machine.
 */
const STOP_TIMEOUT_MS = 10_000;
/** Maximum time in milliseconds for reading the remaining output after a module has exited. */
const OUTPUT_TIMEOUT_MS = 1_000;

/** Program to start, and its environment. */
export interface ModuleProgram {
  readonly folder: string;
  /** Path of the entrypoint, relative to the folder. */
  readonly entrypoint: string;
  /** Address to listen on. */
  readonly address: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /**
   * Path of the bundled program, which supervises the module in a separate process. Its source is
   * in this folder.
   */
  readonly supervisor: string;
  /** Folder with the run's files. */
  readonly runFolder: string;
  readonly stopTimeoutMs?: number | undefined;
  /** Called for each line that the module writes. */
  readonly log: (line: string) => void;
}

/**
 * Running module in its own process group. The group lets the module be stopped together with all
 * processes that it has started.
 */
export class ModuleProcess {
  /** Resolves with a description of how the module exited. */
  readonly exited: Promise<string>;
  private readonly started: Promise<unknown>;
  private readonly lines: string[] = [];
  /**
   * ID of the module's process, which is also the ID of its process group. Undefined before the
   * module has started and after it has exited.
   */
  private id: number | undefined;

  private constructor(
    supervisor: ChildProcess,
    private readonly program: ModuleProgram,
  ) {
    const { entrypoint } = program;
    const started = Promise.withResolvers<undefined>();
    const failToStart = (reason: string): void =>
      started.reject(new ModuleRunError({ kind: 'startFailed', entrypoint, reason }));
    let exit = 'its supervisor exited';
    supervisor.on('message', (event: SuperviseEvent) => {
      if (event.kind === 'started') {
        this.id = event.id;
        started.resolve(undefined);
      } else if (event.kind === 'exited') {
        this.id = undefined;
        exit = event.exit;
      } else {
        failToStart(event.reason);
      }
    });
    supervisor.once('error', ({ message }) => failToStart(message));
    supervisor.once('exit', () => {
      // A process that has left the module's process group can prevent the output from closing.
      setTimeout(() => {
        supervisor.stdout?.destroy();
        supervisor.stderr?.destroy();
      }, OUTPUT_TIMEOUT_MS).unref();
    });
    this.exited = new Promise((resolve) => {
      supervisor.once('close', () => {
        failToStart(exit);
        // If the supervisor didn't report the exit, the module is still running. On Windows,
        // however, the module exits with the supervisor, and another program might already have its
        // ID.
        if (process.platform !== 'win32') this.signal('SIGKILL');
        this.id = undefined;
        resolve(exit);
      });
    });
    this.started = started.promise;
    for (const output of [supervisor.stdout, supervisor.stderr]) {
      if (output) forwardLines(output, (line) => this.receive(line));
    }
  }

  /** @throws ModuleRunError if the entrypoint is missing, not executable, or not a program */
  static async start(program: ModuleProgram): Promise<ModuleProcess> {
    const { folder, entrypoint, platform, address, environment, runFolder } = program;
    const path = resolve(folder, entrypoint);
    await requireExecutable(path, entrypoint, platform);
    const supervisor = spawn(process.execPath, [program.supervisor, SUPERVISE], {
      cwd: folder,
      env: { ...environment, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // The supervisor survives this process, even if the whole process group or, on Windows, all
      // child processes are killed.
      detached: true,
      windowsHide: true,
    });
    const module = new ModuleProcess(supervisor, program);
    const request: SuperviseRequest = { path, address, runFolder };
    supervisor.send(request, () => undefined);
    await module.started;
    return module;
  }

  /** Last lines that the module has written. */
  get lastLines(): readonly string[] {
    return this.lines;
  }

  /**
   * Stops the module and all processes that it has started, and resolves when all of them have
   * exited.
   */
  async stop(): Promise<void> {
    if (this.id !== undefined) {
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
    if (this.id !== undefined) signalGroup(this.id, signal);
  }

  private receive(line: string): void {
    this.lines.push(line);
    if (this.lines.length > MAX_LAST_LINES) this.lines.shift();
    this.program.log(line);
  }
}

async function requireExecutable(
  path: string,
  entrypoint: string,
  platform: NodeJS.Platform,
): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (!status?.isFile()) throw new ModuleRunError({ kind: 'entrypointMissing', entrypoint });
  if (platform === 'win32') return;
  await access(path, constants.X_OK).catch(() => {
    throw new ModuleRunError({ kind: 'entrypointNotExecutable', entrypoint });
  });
}

const MAX_LINE_LENGTH = 10_000;
/** Marker that replaces the rest of a truncated line. */
const CUT_MARK = ' […]';

/**
 * Passes each line of an output stream to `receive`. Truncates long lines and marks them as
 * truncated, because a line can be endless.
 */
export function forwardLines(output: Readable, receive: (line: string) => void): void {
  const lines = new OutputLines(receive);
  output.setEncoding('utf8').on('data', (text: string) => lines.add(text));
  // A destroyed output doesn't fire `end`.
  for (const event of ['end', 'close'] as const) output.once(event, () => lines.finish());
}

class OutputLines {
  private line = '';
  private isCut = false;
  /**
   * True if the last character was a carriage return, which might be the first half of a CRLF line
   * break.
   */
  private isReturned = false;

  constructor(private readonly receive: (line: string) => void) {}

  add(text: string): void {
    const rest = this.isReturned && text.startsWith('\n') ? text.slice(1) : text;
    this.isReturned = text.endsWith('\r');
    const [first = '', ...others] = rest.split(/\r\n|[\r\n]/);
    this.append(first);
    for (const other of others) {
      this.endLine();
      this.append(other);
    }
  }

  finish(): void {
    if (this.line !== '') this.endLine();
  }

  private append(text: string): void {
    if (this.isCut) return;
    const room = MAX_LINE_LENGTH - this.line.length;
    this.line += text.slice(0, room);
    if (text.length <= room) return;
    // Sent immediately, because the end of the line might never arrive. Doesn't split a surrogate
    // pair at the end.
    this.receive(`${this.line.replace(/[\ud800-\udbff]$/, '')}${CUT_MARK}`);
    [this.line, this.isCut] = ['', true];
  }

  private endLine(): void {
    if (!this.isCut) this.receive(this.line);
    [this.line, this.isCut] = ['', false];
  }
}

/** Error in a local run, with a problem that the editor formats for the user. */
export class ModuleRunError extends Error {
  override readonly name = 'ModuleRunError';

  constructor(readonly problem: RunProblem) {
    super(formatRunProblem(englishLocalizer, problem));
  }
}
