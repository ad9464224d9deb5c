import { setTimeout as sleep } from 'node:timers/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Client, createClient } from '@connectrpc/connect';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import {
  type MachinePart,
  type OpenTransport,
  signedInTransport,
} from '../../src/simulate/fleet/fleetMachines';

const TICK_MS = 100;
/** Maximum number of lines per call. The service accepts at most twice this number. */
const MAX_LINES = 5_000;
const LEVELS = ['debug', 'info', 'info', 'warn', 'error'];

/** A machine that logs at a given rate and numbers its lines from 1. */
export class LineLoad {
  private last = 0;

  private constructor(
    private readonly part: MachinePart,
    private readonly robot: Client<typeof RobotService>,
  ) {}

  static async of(open: OpenTransport, part: MachinePart): Promise<LineLoad> {
    const credentials = { type: 'robot-secret', entity: part.id, payload: part.secret } as const;
    return new LineLoad(
      part,
      createClient(RobotService, await signedInTransport(open, credentials)),
    );
  }

  /** Number of lines that the service has acknowledged. */
  get logged(): number {
    return this.last;
  }

  /**
   * Logs at a given rate for a given time. If the service is slower, waits for it and then catches
   * up.
   */
  async run(linesPerSecond: number, seconds: number): Promise<void> {
    const start = performance.now();
    const first = this.last;
    for (const end = first + linesPerSecond * seconds; this.last < end;) {
      await sleep(TICK_MS);
      const elapsed = Math.min((performance.now() - start) / 1000, seconds);
      const due = Math.floor(first + elapsed * linesPerSecond) - this.last;
      await this.send(Math.min(due, MAX_LINES));
    }
  }

  /** Logs the next lines in one call. */
  async send(count: number): Promise<void> {
    const time = timestampFromDate(new Date());
    const logs = Array.from({ length: count }, (_, index) => {
      const number = this.last + index + 1;
      return {
        host: this.part.name,
        level: LEVELS[number % LEVELS.length] ?? '',
        time,
        loggerName: 'rdk.component.drive',
        message: `line ${String(number)} of the drive`,
        fields: [{ number, rpm: number % 1800 }],
      };
    });
    await this.robot.log({ id: this.part.id, logs });
    this.last += count;
  }
}
