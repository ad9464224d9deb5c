import { canceled, FleetError } from '../../../core/api/errors';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { TrainingSubmitTools } from './submitTarget';

/**
 * Throws if the service doesn't run training scripts. Must be called before any other prompt. For
 * the local fleet, prompts for permission and for the restart. Throws `canceled`, and `conflict` if
 * another service reports that it doesn't run scripts. Services that don't report whether they run
 * scripts are assumed to run them.
 * @param formatRejection returns the message for a service that doesn't run scripts
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
    // Canceling the permission prompt also cancels this command.
    if (!(await localFleet.runsScripts())) throw canceled();
    return;
  }
  const { training } = sessions.stores(connectionId);
  if ((await training.runsScripts(organizationId)) !== false) return;
  throw new FleetError('conflict', formatRejection());
}
