import { createClient } from '@connectrpc/connect';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import type { RunningService } from '../../../support/runningService';

/** Creates a machine and returns the ID of its part. */
export async function newPart({
  transport,
  key: { organizationId },
}: RunningService): Promise<string> {
  const app = createClient(AppService, transport);
  const { location } = await app.createLocation({ organizationId, name: 'Hall' });
  const { id } = await app.newRobot({ name: 'rover', location: location?.id ?? '' });
  const { parts } = await app.getRobotParts({ robotId: id });
  return parts[0]?.id ?? '';
}
