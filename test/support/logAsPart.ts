import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import { type OpenTransport, signedInTransport } from '../../src/simulate/fleet/fleetMachines';

/**
 * Writes log lines as a part does, signed in with its secret.
 *
 * @param key the owner's API key
 * @param at time of the lines
 */
export async function logAsPart(
  open: OpenTransport,
  key: { readonly id: string; readonly secret: string },
  { partId, lines, at }: { partId: string; lines: readonly string[]; at: Date },
): Promise<void> {
  const owner = { type: 'api-key', entity: key.id, payload: key.secret } as const;
  const app = createClient(AppService, await signedInTransport(open, owner));
  const { part } = await app.getRobotPart({ id: partId });
  const credentials = {
    type: 'robot-secret',
    entity: partId,
    payload: part?.secrets[0]?.secret ?? '',
  } as const;
  const robot = createClient(RobotService, await signedInTransport(open, credentials));
  const time = timestampFromDate(at);
  const logs = lines.map((message) => ({ level: 'error', time, loggerName: 'test', message }));
  await robot.log({ id: partId, logs });
}
