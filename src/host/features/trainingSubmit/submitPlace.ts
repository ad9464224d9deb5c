import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { Organization } from '../../../core/model/entities';
import type { ConnectionId } from '../../../core/model/ids';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetTools } from '../../platform/fleetTools';
import { requireConnection } from '../../platform/requireConnection';
import { requireRight } from '../../platform/requireRight';
import type { SubmitSubject } from './submitSubject';

/** The organization that gets a job, and the stores that it is submitted through. */
export interface SubmitPlace {
  readonly target: OrganizationTarget;
  readonly stores: FleetStores;
}

/**
 * The organization that trains: that of what was clicked, the only one, or one that is asked for. Only
 * who owns it may train, which is said before anything is asked. Throws `cancelled` and `permission`.
 */
export async function submitPlace(
  { sessions, pickTarget }: Pick<FleetTools, 'sessions' | 'pickTarget'>,
  subject: SubmitSubject,
): Promise<SubmitPlace> {
  const { id: connectionId } = requireConnection(sessions, subject.connectionId);
  const stores = sessions.stores(connectionId);
  const organizations = await stores.organizations.list();
  // A script or a model that was found in the public registry is of somebody else.
  const own =
    organizations.find(({ id }) => id === subject.organizationId) ?? onlyOne(organizations);
  const target = own ? targetOf(connectionId, own) : await pickTarget('organization', connectionId);
  await requireRight(stores, target, 'administer');
  return { target, stores };
}

function onlyOne(organizations: readonly Organization[]): Organization | undefined {
  const [only, other] = organizations;
  if (!only) {
    throw new FleetError('notFound', vscode.l10n.t('There is no organization that could train.'));
  }
  return other ? undefined : only;
}

function targetOf(connectionId: ConnectionId, { id, name }: Organization): OrganizationTarget {
  return { kind: 'organization', connectionId, organizationId: id, name };
}
