import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { LogEntrySchema } from '../../gen/viam/common/v1/common_pb';
import type { Random } from '../random';
import { type LineKind, getLineKinds, type LineLevel, type LineContent } from './lineKinds';

type Line = MessageInitShape<typeof LogEntrySchema>;

const FILE = 'component.go';
const LAST_LINE = 400;

/** The log of a simulated machine: lines are numbered consecutively. */
export class MachineLog {
  #sequence = 0;
  /** Each kind repeated according to its weight. */
  #lots: readonly LineKind[] = [];

  constructor(
    private readonly random: Random,
    private readonly host: string,
  ) {
    this.setComponents([]);
  }

  /** Sets the types of components that later lines refer to. */
  setComponents(components: Iterable<string>): void {
    this.#lots = getLineKinds(new Set(components)).flatMap((kind) =>
      Array.from({ length: kind.weight }, () => kind),
    );
  }

  /** Returns a line about the work of the machine. */
  next(at: Date): Line {
    const { level, loggerName, say } = this.random.pick(this.#lots);
    return this.#line(at, level, loggerName, say(this.random));
  }

  /** Returns a line about the machine itself. */
  createMessageLine(at: Date, level: LineLevel, message: string): Line {
    return this.#line(at, level, 'rdk', { message });
  }

  #line(
    at: Date,
    level: LineLevel,
    loggerName: string,
    { message, fields = {} }: LineContent,
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
