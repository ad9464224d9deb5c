import { canceled, FleetError } from '../../../core/api/errors';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { TrainingSubmitTools } from './submitTools';

/**
 * Requires that the service runs training scripts, before any other prompt. For the local fleet,
 * prompts for the permission and the restart. Throws `canceled`, and `conflict` if another service
 * reports that it runs none; services that don't report it are assumed to run them.
 * @param formatRejection returns the message that the service runs none
 */
export async function requireScripts(
  {
    sessions,
    commands,
    localFleet,
  }: Pick<TrainingSubmitTools, 'sessions' | 'commands' | 'localFleet'>,
  { connectionId, organizationId }: Pick<OrganizationTarget, 'connectionId' | 'organizationId'>,
  formatRejection: () => string,
): Promise<void> {
  if (sessions.connection(connectionId)?.kind === 'local') {
    if (await localFleet.runsScripts()) return;
    await commands.execute('fleetwright.localFleet.allowScripts');
    // Canceling that prompt also cancels this command.
    if (!(await localFleet.runsScripts())) throw canceled();
    return;
  }
  const { training } = sessions.stores(connectionId);
  if ((await training.runsScripts(organizationId)) !== false) return;
  throw new FleetError('conflict', formatRejection());
}
