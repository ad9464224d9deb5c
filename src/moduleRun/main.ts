import type { JsonValue } from '@bufbuild/protobuf';
import { version } from '../../package.json';
import { systemSleep } from '../base/clock';
import type { RunEvent, RunProblem, RunRequest } from '../core/modules/run/runMessages';
import { LineSender } from './lineSender';
import { LocalRun } from './localRun';
import { ModuleRunError } from './moduleProcess';
import { SUPERVISE, supervise } from './supervisor';

/**
 * Runs one module for the editor, which sends requests over a channel. The run ends when the
 * channel closes, so no processes are left over after the editor exits or crashes.
 */
class RunProcess {
  private run: Promise<LocalRun> | undefined;
  private readonly pending = new Map<number, AbortController>();
  private isStopping = false;

  async handle(request: RunRequest): Promise<void> {
    const { id } = request;
    if (request.kind === 'cancel') {
      this.pending.get(id)?.abort();
      return;
    }
    const canceling = new AbortController();
    this.pending.set(id, canceling);
    try {
      const value = await this.handleRequest(request, canceling.signal);
      send({ kind: 'answer', id, value: value as JsonValue });
    } catch (error) {
      send({ kind: 'failure', id, problem: toProblem(error) });
    } finally {
      this.pending.delete(id);
    }
  }

  async stop(): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    for (const canceling of this.pending.values()) canceling.abort();
    const run = await this.run?.catch(() => undefined);
    await run?.stop();
  }

  private async handleRequest(
    request: Exclude<RunRequest, { kind: 'cancel' }>,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (request.kind === 'start') {
      const { platform, env: environment } = process;
      const log = (line: string): void => lines.add(line);
      const [, program = ''] = process.argv;
      const settings = { platform, environment, program, version, log, sleep: systemSleep };
      this.run = LocalRun.start(request.target, settings, signal);
      const run = await this.run;
      void run.exited.then((exit) => {
        if (!this.isStopping) send({ kind: 'exit', problem: { kind: 'exited', exit } });
      });
      return { methods: run.methods };
    }
    const run = await this.run;
    if (!run) throw new Error('The module was not started.');
    return request.kind === 'configure'
      ? run.configure(request.attributes, signal)
      : run.call(request.method, request.request, signal);
  }
}

function toProblem(error: unknown): RunProblem {
  if (error instanceof ModuleRunError) return error.problem;
  return { kind: 'internal', reason: error instanceof Error ? error.message : String(error) };
}

const lines = new LineSender(post);

/** Sends an event after all earlier lines. */
function send(event: RunEvent): void {
  lines.flush();
  post(event, () => undefined);
}

/** Posts an event, unless the channel has closed and can no longer be read. */
function post(event: RunEvent, sent: () => void): void {
  if (process.connected) process.send?.(event, () => sent());
}

function runForEditor(): void {
  const running = new RunProcess();
  const stop = (): void => void running.stop().finally(() => process.exit());
  process.on('message', (request: RunRequest) => void running.handle(request));
  process.once('disconnect', stop);
  process.once('uncaughtException', ({ message: reason }) => {
    // Stops the module and gives it time to exit.
    send({ kind: 'exit', problem: { kind: 'internal', reason } });
    stop();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

if (process.argv[2] === SUPERVISE) supervise();
else runForEditor();
