import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Client, createClient } from '@connectrpc/connect';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import type { LogEntrySchema } from '../../src/gen/viam/common/v1/common_pb';
import { type PartId, partId } from '../../src/core/model/ids';
import { signedInTransport } from '../../src/simulate/fleet/fleetMachines';
import type { MemoryFleet } from './memoryFleet';

type Line = MessageInitShape<typeof LogEntrySchema>;

/** A machine of an in-memory fleet that numbers its log lines. */
export class NumberedLog {
  private last = 0;
  private next = 0;

  private constructor(
    readonly part: PartId,
    private readonly robot: Client<typeof RobotService>,
    private readonly now: () => Date,
  ) {}

  /** Creates a machine, and signs in as its software. */
  static async make(fleet: MemoryFleet, name: string): Promise<NumberedLog> {
    const open = fleet.wire.bind(fleet);
    const owner = { type: 'api-key', entity: fleet.key.id, payload: fleet.key.secret } as const;
    const app = createClient(AppService, await signedInTransport(open, owner));
    const { organizationId } = fleet;
    const { location } = await app.createLocation({ organizationId, name: `hall of ${name}` });
    const { id: robotId } = await app.newRobot({ name, location: location?.id ?? '' });
    const { parts } = await app.getRobotParts({ robotId });
    const { id = '', secrets = [] } = parts[0] ?? {};
    const machine = {
      type: 'robot-secret',
      entity: id,
      payload: secrets[0]?.secret ?? '',
    } as const;
    const robot = createClient(RobotService, await signedInTransport(open, machine));
    return new NumberedLog(partId(id), robot, () => fleet.clock.now());
  }

  /**
   * Logs lines, starting at the current time and one millisecond apart by default.
   * @returns the numbers of the lines.
   */
  async log(count: number, change: (number: number) => Line = () => ({})): Promise<number[]> {
    const numbers = Array.from({ length: count }, (_, index) => this.last + index + 1);
    this.last += count;
    const start = Math.max(this.now().getTime(), this.next);
    this.next = start + count;
    const logs = numbers.map((number, index) => ({
      host: 'robot',
      level: 'info',
      loggerName: 'test',
      message: `line ${number}`,
      time: timestampFromDate(new Date(start + index)),
      ...change(number),
    }));
    await this.robot.log({ id: this.part, logs });
    return numbers;
  }
}
