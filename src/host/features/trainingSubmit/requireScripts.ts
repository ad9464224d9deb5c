import { canceled } from '../../../core/api/errors';
import type { ConnectionId } from '../../../core/model/ids';
import type { TrainingSubmitTools } from './submitTools';

/**
 * Sees that the fleet of this computer runs training scripts: asks whether it may, and for the restart with
 * which it does. Other services say themselves whether they do. Throws `canceled`.
 */
export async function requireScripts(
  {
    sessions,
    commands,
    localFleet,
  }: Pick<TrainingSubmitTools, 'sessions' | 'commands' | 'localFleet'>,
  connection: ConnectionId,
): Promise<void> {
  if (sessions.connection(connection)?.kind !== 'local' || (await localFleet.runsScripts())) return;
  await commands.execute('fleetwright.localFleet.allowScripts');
  // Anyone who left the question has left this, too.
  if (!(await localFleet.runsScripts())) throw canceled();
}
