import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import type { RobotService } from '../../gen/viam/app/v1/robot_pb';
import type { LogEntrySchema } from '../../gen/viam/common/v1/common_pb';
import type { Random } from '../random';
import type { LineLevel } from './lineKinds';
import { MachineLog } from './machineLog';

/** Maximum number of unsent lines. If there are more, the oldest lines are dropped. */
const MAX_WAITING_LINES = 50_000;
const MAX_LINES_A_CALL = 2000;

interface LineQueueOptions {
  part: { id: string; name: string };
  linesPerSecond: number;
  random: Random;
}

/** Lines that a machine has logged and the service hasn't acknowledged yet. */
export class LineQueue {
  readonly log: MachineLog;
  readonly #waiting: MessageInitShape<typeof LogEntrySchema>[] = [];
  /** Number of lines to log, including a fraction. */
  #due = 0;
  #written = 0;

  constructor(private readonly options: LineQueueOptions) {
    this.log = new MachineLog(options.random, options.part.name);
  }

  /** Starts the machine's regular log output. */
  start(at: number): void {
    this.#written = at;
  }

  /** Logs the lines that are due, with timestamps after those of the previous lines. */
  write(at: number): void {
    const elapsed = at - this.#written;
    const count = this.#countOf((this.options.linesPerSecond * elapsed) / 1000);
    for (let index = 0; index < count; index += 1) {
      const timestamp = this.#written + (index * elapsed) / count;
      this.#waiting.push(this.log.next(new Date(timestamp)));
    }
    this.#waiting.splice(0, Math.max(0, this.#waiting.length - MAX_WAITING_LINES));
    this.#written = at;
  }

  /** Logs a line about the machine itself. */
  logMessage(level: LineLevel, message: string): void {
    this.#waiting.push(this.log.createMessageLine(new Date(), level, message));
  }

  /**
   * Sends the queued lines. Each line is removed from the queue when the service has acknowledged
   * it.
   */
  async send(robot: Client<typeof RobotService>, signal: AbortSignal): Promise<void> {
    while (this.#waiting.length > 0) {
      const logs = this.#waiting.slice(0, MAX_LINES_A_CALL);
      await robot.log({ id: this.options.part.id, logs }, { signal });
      this.#waiting.splice(0, logs.length);
    }
  }

  /** Rounds the number of lines: small numbers are randomized, large numbers aren't. */
  #countOf(lines: number): number {
    if (lines < 1) {
      return Number(this.options.random.chance(lines));
    }
    this.#due += lines;
    const count = Math.floor(this.#due);
    this.#due -= count;
    return count;
  }
}
