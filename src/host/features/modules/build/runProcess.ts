import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import * as vscode from 'vscode';
import { onAbort } from '../../../../base/cancellation';
import { Disposable, type DisposableLike, DisposableSet } from '../../../../base/disposable';
import {
  type ConfiguredResource,
  formatRunProblem,
  type RunEvent,
  type RunProblem,
  type RunRequest,
  type RunTarget,
  type StartedRun,
} from '../../../../core/modules/run/runMessages';
import { BoundedLines } from '../../../../core/modules/run/boundedLines';
import { formatNumber } from '../../../platform/text/displayText';
import { FleetError } from '../../../../core/api/errors';

type Unsent<T> = T extends { readonly id: number } ? Omit<T, 'id'> : never;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: RunError) => void;
}

/** Listener for run events that are not responses to requests. */
interface RunListener {
  /**
   * Called when the module has written lines.
   * @param dropped number of lines that were dropped before them
   */
  log(lines: readonly string[], dropped: number): void;
  /** Called when the module exits on its own. */
  exited(problem: RunProblem): void;
}

/**
 * Process that runs a module. The process stops the module when its channel closes, including when
 * this window exits.
 */
export class RunProcess implements DisposableLike {
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private readonly gone: Promise<unknown>;
  private lastId = 0;
  private isStopping = false;
  /**
   * Problem that caused the module to exit on its own. Later requests fail with the same problem.
   */
  private exit: RunProblem | undefined;

  /** @param program path of `dist/moduleRun.js` */
  constructor(
    program: string,
    private readonly listener: RunListener,
  ) {
    this.child = spawn(process.execPath, [program], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      windowsHide: true,
    });
    this.child.on('message', (event) => this.receive(event as RunEvent));
    this.child.on('error', ({ message }) => this.fail(message));
    this.gone = once(this.child, 'exit').then(
      () => this.fail('its process exited'),
      () => undefined,
    );
  }

  /**
   * Starts the module.
   * @throws RunError if the module can't be started
   */
  async start(target: RunTarget, signal: AbortSignal): Promise<StartedRun> {
    return (await this.request({ kind: 'start', target }, signal)) as StartedRun;
  }

  /**
   * Creates the resource, or changes its attributes.
   * @throws RunError if that fails
   */
  async configure(attributes: JsonObject, signal: AbortSignal): Promise<ConfiguredResource> {
    return (await this.request({ kind: 'configure', attributes }, signal)) as ConfiguredResource;
  }

  /**
   * Calls a method on the resource.
   * @throws RunError if the call fails
   */
  async call(method: string, request: JsonObject, signal: AbortSignal): Promise<JsonValue> {
    return (await this.request({ kind: 'call', method, request }, signal)) as JsonValue;
  }

  /** Stops the module, and resolves when all of its processes have exited. */
  async stop(): Promise<void> {
    this.dispose();
    await this.gone;
  }

  dispose(): void {
    this.isStopping = true;
    if (this.child.connected) this.child.disconnect();
  }

  private async request(
    request: Unsent<Exclude<RunRequest, { kind: 'cancel' }>>,
    signal: AbortSignal,
  ): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    const owned = new DisposableSet();
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.pending.set(id, { resolve, reject });
        if (!this.child.connected) this.fail('its process exited');
        else this.send({ ...request, id });
        owned.add(onAbort(signal, () => this.send({ kind: 'cancel', id })));
      });
    } finally {
      owned.dispose();
      this.pending.delete(id);
    }
  }

  private send(request: RunRequest): void {
    if (this.child.connected) this.child.send(request, () => undefined);
  }

  private receive(event: RunEvent): void {
    switch (event.kind) {
      case 'log':
        this.listener.log(event.lines, event.dropped);
        return;
      case 'exit':
        this.exit = event.problem;
        for (const { reject } of this.pending.values()) reject(new RunError(event.problem));
        this.listener.exited(event.problem);
        return;
      case 'answer':
        this.pending.get(event.id)?.resolve(event.value);
        return;
      case 'failure':
        this.pending.get(event.id)?.reject(new RunError(event.problem));
    }
  }

  private fail(reason: string): void {
    const stopped: RunProblem = this.isStopping
      ? { kind: 'canceled' }
      : { kind: 'internal', reason };
    const problem = this.exit ?? stopped;
    for (const { reject } of this.pending.values()) reject(new RunError(problem));
    if (!this.isStopping && this.exit === undefined) this.listener.exited(problem);
  }
}

const MAX_LINES = 10_000;
const MAX_CHARACTERS = 2_000_000;
/** Time in milliseconds during which a module's lines are collected before they are written. */
const GATHER_MS = 100;
/**
 * Minimum time in milliseconds between rewrites. After lines have been dropped, every update
 * rewrites the entire output.
 */
const REWRITE_MS = 1_000;

export type OutputTarget = Pick<vscode.OutputChannel, 'append' | 'replace' | 'show' | 'dispose'>;

/**
 * Output of local runs. Stores only the last lines and the number of dropped lines before them,
 * because a module can write an unlimited number of lines.
 */
export class RunOutput extends Disposable {
  private readonly buffered = new BoundedLines({ lines: MAX_LINES, characters: MAX_CHARACTERS });
  /** Number of trailing lines that are not in the channel yet. */
  private unwritten = 0;
  /** Number of dropped lines at the time of the last write to the channel. */
  private writtenDropped = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly channel: OutputTarget) {
    super();
    this.register(channel);
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  /** Immediately appends a line to the output, after all pending lines. */
  appendLine(line: string): void {
    this.add(line);
    this.flush();
  }

  /**
   * Adds lines that a module wrote, with a short delay.
   * @param dropped number of lines that were dropped before them
   */
  log(lines: readonly string[], dropped: number): void {
    if (dropped > 0) this.dropUpTo(dropped);
    for (const line of lines) this.add(line);
    const isCut = this.buffered.dropped !== this.writtenDropped;
    this.timer ??= setTimeout(() => this.flush(), isCut ? REWRITE_MS : GATHER_MS);
  }

  show(): void {
    this.flush();
    this.channel.show(true);
  }

  /**
   * Drops all stored lines, because later lines were lost in transit and the output would hide that
   * gap.
   */
  private dropUpTo(count: number): void {
    const { lines, dropped } = this.buffered.take();
    this.buffered.addDropped(dropped + lines.length + count);
    this.unwritten = 0;
  }

  private add(line: string): void {
    this.buffered.add(line);
    this.unwritten += 1;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { lines, dropped } = this.buffered;
    if (dropped !== this.writtenDropped) {
      this.channel.replace(toText([describeDropped(dropped), ...lines]));
      this.writtenDropped = dropped;
    } else if (this.unwritten > 0) {
      this.channel.append(toText(lines.slice(-this.unwritten)));
    }
    this.unwritten = 0;
  }
}

function toText(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function describeDropped(count: number): string {
  return count === 1
    ? vscode.l10n.t('[1 earlier line was dropped]')
    : vscode.l10n.t('[{0} earlier lines were dropped]', formatNumber(count));
}

/** Error in a local run, with a localized message. */
export class RunError extends FleetError {
  constructor(readonly problem: RunProblem) {
    super(toErrorKind(problem), formatRunProblem(vscode.l10n, problem));
  }
}

function toErrorKind({ kind }: RunProblem): FleetError['kind'] {
  switch (kind) {
    case 'canceled':
      return 'canceled';
    case 'internal':
      return 'internal';
    default:
      return 'invalid';
  }
}
