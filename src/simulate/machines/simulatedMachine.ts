import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Client, Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { RobotService } from '../../gen/viam/app/v1/robot_pb';
import type { LogEntrySchema } from '../../gen/viam/common/v1/common_pb';
import type { MachinePart } from '../fleet/fleetMachines';
import { type OpenTransport, signedInTransport } from '../fleet/signedInTransport';
import type { Random } from '../random';
import { chanceOf, USUAL_SOURCES } from '../readings/tabularSource';
import { PartUploads } from '../uploads/partUploads';
import { MachineLog } from './machineLog';
import { type CapturePace, MachineCaptures } from './machineCaptures';

const TICK_MS = 500;
const RESTART_CHECK_MS = 5000;
const RESTART_MS = 2000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** Lines that could not be sent wait; of more than this, the oldest are given up. */
const MAX_WAITING_LINES = 50_000;
const MAX_LINES_A_CALL = 2000;
/** How long a machine is away when it goes offline. */
const SHORTEST_ABSENCE_MS = 20_000;
const LONGEST_ABSENCE_MS = 60_000;

/** What a simulated machine does, and how often. */
export interface MachinePace extends CapturePace {
  /** Lines of log in a second. */
  linesPerSecond: number;
  /** How often it goes offline for a while, in a second. */
  absencesPerSecond: number;
}

export interface MachineOptions {
  open: OpenTransport;
  part: MachinePart;
  pace: MachinePace;
  random: Random;
  signal: AbortSignal;
  /** Hears what it does, in a sentence. */
  heard: (sentence: string) => void;
}

/** A machine that is told to start anew. */
class RestartTold extends Error {}

/**
 * What the software of one machine does, over the wire alone: it signs in with the secret of its
 * part, fetches its config, logs, uploads what it captures, starts anew when it is told to, and is
 * away now and then. Where the service does not answer it tries again, and loses no line.
 */
export class SimulatedMachine {
  readonly #log: MachineLog;
  readonly #waiting: MessageInitShape<typeof LogEntrySchema>[] = [];
  #retryMs = FIRST_RETRY_MS;
  /** Lines that are due, and a fraction of one. */
  #due = 0;

  constructor(private readonly options: MachineOptions) {
    const { part, random } = options;
    this.#log = new MachineLog(random.of('log'), part.name);
  }

  /** Runs until the signal is aborted. */
  async run(): Promise<void> {
    const { heard, part } = this.options;
    while (!this.#isStopped()) {
      try {
        await this.#live();
      } catch (error) {
        if (error instanceof RestartTold) {
          heard(`${part.name} starts anew, as it was told`);
          await this.#pause(RESTART_MS);
        } else if (!this.#isStopped()) {
          const { rawMessage, code } = ConnectError.from(error);
          heard(`${part.name} is cut off (${Code[code]}: ${rawMessage})`);
          await this.#pause(this.#retryMs);
          this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
        }
      }
    }
  }

  #isStopped(): boolean {
    return this.options.signal.aborted;
  }

  /** From one start to the next. */
  async #live(): Promise<void> {
    const { part, pace, random, signal, heard } = this.options;
    const transport = await this.#signIn();
    const robot = createClient(RobotService, transport);
    const { config } = await robot.config({ id: part.id }, { signal });
    const resources = (config?.components.length ?? 0) + (config?.services.length ?? 0);
    this.#say('info', `started with ${String(resources)} resources of its config`);
    heard(`${part.name} is online with ${String(resources)} resources`);
    const uploads = PartUploads.over(transport, part.id);
    const sources = USUAL_SOURCES.map((source) => ({
      source,
      measure: source.model(chanceOf(random, part.name, source)),
    }));
    const captures = new MachineCaptures({ uploads, sources, pace, random: random.of('captures') });
    let nextCheck = 0;
    for (;;) {
      signal.throwIfAborted();
      const now = Date.now();
      await this.#sendLines(robot);
      await captures.due(new Date(now), signal);
      if (now >= nextCheck) {
        nextCheck = now + RESTART_CHECK_MS;
        const { mustRestart } = await robot.needsRestart({ id: part.id }, { signal });
        if (mustRestart) {
          throw new RestartTold();
        }
      }
      this.#retryMs = FIRST_RETRY_MS;
      if (random.chance((pace.absencesPerSecond * TICK_MS) / 1000)) {
        heard(`${part.name} goes offline for a while`);
        await this.#pause(random.wholeBetween(SHORTEST_ABSENCE_MS, LONGEST_ABSENCE_MS));
        return;
      }
      await this.#pause(TICK_MS);
      this.#write();
    }
  }

  async #signIn(): Promise<Transport> {
    const { open, part } = this.options;
    const { id, secret } = part;
    return signedInTransport(open, { type: 'robot-secret', entity: id, payload: secret });
  }

  /** Writes the lines of a tick. */
  #write(): void {
    this.#due += (this.options.pace.linesPerSecond * TICK_MS) / 1000;
    const count = Math.floor(this.#due);
    this.#due -= count;
    const now = Date.now();
    for (let index = 0; index < count; index += 1) {
      this.#waiting.push(this.#log.next(new Date(now - TICK_MS + (index * TICK_MS) / count)));
    }
    this.#waiting.splice(0, Math.max(0, this.#waiting.length - MAX_WAITING_LINES));
  }

  #say(level: 'info' | 'warn', message: string): void {
    this.#waiting.push(this.#log.say(new Date(), level, message));
  }

  /** A line is there no more once the service has acknowledged it. */
  async #sendLines(robot: Client<typeof RobotService>): Promise<void> {
    const { part, signal } = this.options;
    while (this.#waiting.length > 0) {
      const logs = this.#waiting.slice(0, MAX_LINES_A_CALL);
      await robot.log({ id: part.id, logs }, { signal });
      this.#waiting.splice(0, logs.length);
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.options;
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}
