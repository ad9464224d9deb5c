import { canceled, FleetError } from '../../../core/api/errors';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { TrainingSubmitTools } from './submitTools';

/**
 * Requires that the service runs training scripts, before anything is prompted for. For the local fleet it prompts
 * for the permission and the restart. Throws `canceled`, and `conflict` where another service reports that it runs
 * none; services that report nothing are taken to run them.
 * @param formatRejection says that the service runs none
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
    // Anyone who left the question has left this, too.
    if (!(await localFleet.runsScripts())) throw canceled();
    return;
  }
  const { training } = sessions.stores(connectionId);
  if ((await training.runsScripts(organizationId)) !== false) return;
  throw new FleetError('conflict', formatRejection());
}
