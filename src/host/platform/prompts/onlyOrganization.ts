import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { ConnectionId } from '../../../core/model/ids';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { FleetTools } from '../fleetTools';
import { requireConnection } from '../sessionProvider';

/**
 * Returns a connection's only organization, or an organization that the user selects. Uses the
 * active connection by default. Throws `canceled` if the user dismisses the prompt, `notFound` if
 * there is no organization, and `unauthenticated` if there is no connection.
 */
export async function onlyOrganization(
  { sessions, pickTarget }: Pick<FleetTools, 'sessions' | 'pickTarget'>,
  connection?: ConnectionId,
): Promise<OrganizationTarget> {
  const { id: connectionId } = requireConnection(sessions, connection);
  const [only, other] = await sessions.stores(connectionId).organizations.list();
  if (!only) {
    throw new FleetError(
      'notFound',
      vscode.l10n.t("Your API key doesn't have access to any organization."),
    );
  }
  return other
    ? pickTarget('organization', connectionId)
    : { kind: 'organization', connectionId, organizationId: only.id, name: only.name };
}
