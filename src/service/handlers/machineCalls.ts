import type { ServiceImpl } from '@connectrpc/connect';
import type { RobotService } from '../../gen/viam/app/v1/robot_pb';
import { recordContact } from '../store/parts';
import { tellRestart } from '../store/restarts';
import type { HandlerDependencies } from './handlerSupport';

type MachineCalls = Pick<ServiceImpl<typeof RobotService>, 'needsRestart'>;

/** How long a machine waits before it asks again whether it is to restart. */
const RESTART_CHECK_SECONDS = 5n;

/** What machines ask for themselves, signed in with the secret of a part or of its location. */
export function machineCallHandlers({ store, now }: HandlerDependencies): MachineCalls {
  return {
    async needsRestart(request) {
      const at = now();
      await recordContact(store, [request.id], at);
      return {
        id: request.id,
        mustRestart: await tellRestart(store, request.id, at),
        restartCheckInterval: { seconds: RESTART_CHECK_SECONDS },
      };
    },
  };
}
