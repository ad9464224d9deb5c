import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { LogEntrySchema } from '../../gen/viam/common/v1/common_pb';
import type { Random } from '../random';
import { HALL_CAMERA } from '../uploads/hallSources';

type Line = MessageInitShape<typeof LogEntrySchema>;

/** A kind of line: how often it comes, compared with the others, and what it says. */
interface LineKind {
  weight: number;
  level: 'debug' | 'info' | 'warn' | 'error';
  loggerName: string;
  say: (random: Random) => { message: string; fields?: Record<string, string | number> };
}

const FILE = 'component.go';
const LAST_LINE = 400;

const KINDS: readonly LineKind[] = [
  {
    ...{ weight: 50, level: 'debug', loggerName: 'rdk.component.drive' },
    say: (random) => {
      const rpm = random.wholeBetween(0, 1800);
      return { message: `drive at ${String(rpm)} rpm`, fields: { rpm } };
    },
  },
  {
    ...{ weight: 30, level: 'info', loggerName: 'rdk.service.mission' },
    say: (random) => {
      const order = `A-${String(random.wholeBetween(1000, 9999))}`;
      return { message: `order ${order} picked up`, fields: { order } };
    },
  },
  {
    ...{ weight: 12, level: 'info', loggerName: 'rdk.data_sync' },
    say: (random) => {
      const files = random.wholeBetween(1, 40);
      return { message: `${String(files)} captured files are synced`, fields: { files } };
    },
  },
  {
    ...{ weight: 6, level: 'warn', loggerName: 'rdk.component.camera' },
    say: (random) => {
      const milliseconds = random.wholeBetween(200, 2500);
      return {
        message: `the picture took ${String(milliseconds)} ms`,
        fields: { camera: HALL_CAMERA.componentName, milliseconds },
      };
    },
  },
  {
    ...{ weight: 2, level: 'error', loggerName: 'rdk.component.gripper' },
    say: (random) => ({
      message: 'the gripper does not close: force limit reached',
      fields: { newtons: random.wholeBetween(60, 90) },
    }),
  },
];

/** What a simulated machine logs: every line has the number after that of the line before. */
export class MachineLog {
  #sequence = 0;
  readonly #lots = KINDS.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));

  constructor(
    private readonly random: Random,
    private readonly host: string,
  ) {}

  /** A line about the work of the machine. */
  next(at: Date): Line {
    const { level, loggerName, say } = this.#kind();
    return this.#line(at, level, loggerName, say(this.random));
  }

  /** A line about the machine itself. */
  say(at: Date, level: LineKind['level'], message: string): Line {
    return this.#line(at, level, 'rdk', { message });
  }

  #kind(): LineKind {
    // Each kind as often as it weighs.
    return this.random.pick(this.#lots);
  }

  #line(
    at: Date,
    level: string,
    loggerName: string,
    { message, fields = {} }: ReturnType<LineKind['say']>,
  ): Line {
    this.#sequence += 1;
    return {
      ...{ host: this.host, level, loggerName, message },
      time: timestampFromDate(at),
      caller: { File: FILE, Line: this.random.wholeBetween(1, LAST_LINE) },
      fields: [{ ...fields, sequence: this.#sequence }],
    };
  }
}
