import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { RobotService } from '../../gen/viam/app/v1/robot_pb';
import { type MachinePart, type OpenTransport, signedInTransport } from '../fleet/fleetMachines';
import type { Random } from '../random';
import { PartUploads } from './partUploads';
import {
  type CapturePace,
  MachineCaptures,
  type MachineEquipment,
  USUAL_EQUIPMENT,
} from './machineCaptures';
import type { LogEntrySchema } from '../../gen/viam/common/v1/common_pb';
import { getLineKinds, type LineContent, type LineKind, type LineLevel } from './lineKinds';

const TICK_MS = 500;
const RESTART_CHECK_MS = 5000;
const CONFIG_CHECK_MS = 10_000;
/** Header of the fleet service (`APPLIED_REVISION_HEADER`). Other services ignore it. */
const APPLIED_REVISION_HEADER = 'fleetwright-applied-revision';
const RESTART_MS = 2000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/**
 * Minimum time for which a machine goes offline. The service needs less time to detect that the
 * machine is offline.
 */
const MIN_ABSENCE_MS = 75_000;
const MAX_ABSENCE_MS = 240_000;

/** Frequencies of a simulated machine's activities. */
export interface MachinePace extends CapturePace {
  /** Log lines per second. */
  linesPerSecond: number;
  /** Number of times per second that the machine goes offline. */
  absencesPerSecond: number;
}

export interface MachineOptions {
  open: OpenTransport;
  part: MachinePart;
  pace: MachinePace;
  /** The machine's equipment; if absent, a generic machine's equipment. */
  equipment?: MachineEquipment | undefined;
  random: Random;
  signal: AbortSignal;
  /** Receives sentences that describe the machine's activities. */
  report: (sentence: string) => void;
}

/** Thrown if the service requests a restart of the machine. */
class RestartRequestedError extends Error {
  override readonly name = 'RestartRequestedError';
}

/**
 * Simulates one machine's software using only the public API: signs in with its part's secret,
 * fetches its config, logs, uploads captured data, restarts on request, and occasionally goes
 * offline. If the service doesn't respond, it retries without losing any lines.
 */
export class SimulatedMachine {
  private readonly lines: LineQueue;
  private readonly captures: MachineCaptures;
  private retryMs = FIRST_RETRY_MS;
  private revision: string | undefined;

  constructor(private readonly options: MachineOptions) {
    const { part, pace, random, equipment = USUAL_EQUIPMENT } = options;
    const { linesPerSecond } = pace;
    this.lines = new LineQueue({ part, linesPerSecond, random: random.of('log') });
    this.captures = new MachineCaptures({
      equipment,
      pace,
      partName: part.name,
      random: random.of('captures'),
    });
  }

  /** Runs until the signal is aborted. */
  async run(): Promise<void> {
    const { report, part } = this.options;
    while (!this.isStopped()) {
      try {
        await this.live();
      } catch (error) {
        if (error instanceof RestartRequestedError) {
          report(`${part.name} restarts, as it was told`);
          await this.pause(RESTART_MS);
        } else if (!this.isStopped()) {
          const { rawMessage, code } = ConnectError.from(error);
          report(`${part.name} is cut off (${Code[code]}: ${rawMessage})`);
          await this.pause(this.retryMs);
          this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
        }
      }
    }
  }

  private isStopped(): boolean {
    return this.options.signal.aborted;
  }

  /** Runs the machine from one start to the next. */
  private async live(): Promise<void> {
    const { part, pace, random, signal, report } = this.options;
    const transport = await this.signIn();
    const robot = createClient(RobotService, transport);
    const uploads = PartUploads.over(transport, part.id);
    const started = await this.readConfig(robot);
    this.lines.logMessage('info', `started with ${String(started)} resources of its config`);
    report(`${part.name} is online with ${String(started)} resources`);
    this.lines.start(Date.now());
    let nextRestartCheck = 0;
    let nextConfigCheck = Date.now() + CONFIG_CHECK_MS;
    for (;;) {
      signal.throwIfAborted();
      const now = Date.now();
      await this.lines.send(robot, signal);
      await this.captures.due(uploads, new Date(now), signal);
      if (now >= nextRestartCheck) {
        nextRestartCheck = now + RESTART_CHECK_MS;
        const headers = { [APPLIED_REVISION_HEADER]: this.revision ?? '' };
        const { mustRestart } = await robot.needsRestart({ id: part.id }, { signal, headers });
        if (mustRestart) throw new RestartRequestedError();
      }
      if (now >= nextConfigCheck) {
        nextConfigCheck = now + CONFIG_CHECK_MS;
        await this.reconfigure(robot);
      }
      this.retryMs = FIRST_RETRY_MS;
      if (random.chance((pace.absencesPerSecond * TICK_MS) / 1000)) {
        report(`${part.name} goes offline for a while`);
        await this.pause(random.wholeBetween(MIN_ABSENCE_MS, MAX_ABSENCE_MS));
        return;
      }
      await this.pause(TICK_MS);
      this.lines.write(Date.now());
    }
  }

  private async signIn(): Promise<Transport> {
    const { open, part } = this.options;
    const { id, secret } = part;
    return signedInTransport(open, { type: 'robot-secret', entity: id, payload: secret });
  }

  /** Applies a config that was saved since the last check. */
  private async reconfigure(robot: Client<typeof RobotService>): Promise<void> {
    const before = this.revision;
    const count = await this.readConfig(robot);
    if (this.revision !== before) {
      this.lines.logMessage('info', `goes on with ${String(count)} resources of its new config`);
    }
  }

  /** Fetches and applies the config, and returns the number of resources in it. */
  private async readConfig(robot: Client<typeof RobotService>): Promise<number> {
    const { part, signal } = this.options;
    const { config } = await robot.config({ id: part.id }, { signal });
    if (config) this.revision = config.revision;
    this.lines.log.setComponents((config?.components ?? []).map(({ type }) => type));
    return (config?.components.length ?? 0) + (config?.services.length ?? 0);
  }

  private async pause(milliseconds: number): Promise<void> {
    const { signal } = this.options;
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** Maximum number of unsent lines. If there are more, the oldest lines are dropped. */
const MAX_WAITING_LINES = 50_000;
const MAX_LINES_A_CALL = 2000;

interface LineQueueOptions {
  part: { id: string; name: string };
  linesPerSecond: number;
  random: Random;
}

/** Lines that a machine has logged and the service hasn't acknowledged yet. */
class LineQueue {
  readonly log: MachineLog;
  private readonly waiting: MessageInitShape<typeof LogEntrySchema>[] = [];
  /** Number of lines to log, including a fraction. */
  private due = 0;
  private written = 0;

  constructor(private readonly options: LineQueueOptions) {
    this.log = new MachineLog(options.random, options.part.name);
  }

  /** Starts the machine's regular log output. */
  start(at: number): void {
    this.written = at;
  }

  /** Logs the lines that are due, with timestamps later than those on the previous lines. */
  write(at: number): void {
    const elapsed = at - this.written;
    const count = this.countOf((this.options.linesPerSecond * elapsed) / 1000);
    for (let index = 0; index < count; index += 1) {
      const timestamp = this.written + (index * elapsed) / count;
      this.waiting.push(this.log.next(new Date(timestamp)));
    }
    this.waiting.splice(0, Math.max(0, this.waiting.length - MAX_WAITING_LINES));
    this.written = at;
  }

  /** Logs a line about the machine itself. */
  logMessage(level: LineLevel, message: string): void {
    this.waiting.push(this.log.createMessageLine(new Date(), level, message));
  }

  /**
   * Sends the queued lines. Each line is removed from the queue when the service has acknowledged
   * it.
   */
  async send(robot: Client<typeof RobotService>, signal: AbortSignal): Promise<void> {
    while (this.waiting.length > 0) {
      const logs = this.waiting.slice(0, MAX_LINES_A_CALL);
      await robot.log({ id: this.options.part.id, logs }, { signal });
      this.waiting.splice(0, logs.length);
    }
  }

  /**
   * Converts a number of lines to a whole number. Numbers below 1 are rounded randomly. For larger
   * numbers, the fraction is carried over to the next call.
   */
  private countOf(lines: number): number {
    if (lines < 1) return Number(this.options.random.chance(lines));
    this.due += lines;
    const count = Math.floor(this.due);
    this.due -= count;
    return count;
  }
}

type Line = MessageInitShape<typeof LogEntrySchema>;

const FILE = 'component.go';
const LAST_LINE = 400;

/** A simulated machine's log. Its lines are numbered consecutively. */
class MachineLog {
  private sequence = 0;
  /** Each kind repeated according to its weight. */
  private lots: readonly LineKind[] = [];

  constructor(
    private readonly random: Random,
    private readonly host: string,
  ) {
    this.setComponents([]);
  }

  /** Sets the types of components that later lines refer to. */
  setComponents(components: Iterable<string>): void {
    this.lots = getLineKinds(new Set(components)).flatMap((kind) =>
      Array.from({ length: kind.weight }, () => kind),
    );
  }

  /** Returns a line about the machine's work. */
  next(at: Date): Line {
    const { level, loggerName, say } = this.random.pick(this.lots);
    return this.line(at, level, loggerName, say(this.random));
  }

  /** Returns a line about the machine itself. */
  createMessageLine(at: Date, level: LineLevel, message: string): Line {
    return this.line(at, level, 'rdk', { message });
  }

  private line(
    at: Date,
    level: LineLevel,
    loggerName: string,
    { message, fields = {} }: LineContent,
  ): Line {
    this.sequence += 1;
    return {
      host: this.host,
      level,
      loggerName,
      message,
      time: timestampFromDate(at),
      caller: { File: FILE, Line: this.random.wholeBetween(1, LAST_LINE) },
      fields: [{ ...fields, sequence: this.sequence }],
    };
  }
}
