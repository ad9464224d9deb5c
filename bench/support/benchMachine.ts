import { createClient } from '@connectrpc/connect';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import type { BenchFleet } from './benchFleet';

/** Signs in as the fleet's machine; returns the authorization header for its calls. */
export async function machineAuthorization(fleet: BenchFleet): Promise<string> {
  const { part_id: id } = fleet.part;
  const transport = fleet.transport();
  const { headers } = fleet;
  const { part } = await createClient(AppService, transport).getRobotPart({ id }, { headers });
  const { accessToken } = await createClient(AuthService, transport).authenticate({
    entity: id,
    credentials: { type: 'robot-secret', payload: part?.secrets[0]?.secret ?? '' },
  });
  return `Bearer ${accessToken}`;
}
