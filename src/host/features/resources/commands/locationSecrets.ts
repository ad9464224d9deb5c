import * as vscode from 'vscode';
import { getNames } from '../../../../core/model/resourceName';
import type { LocationTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { owningOrganization } from '../../../../core/stores/owningOrganization';
import { formatOwner } from '../../../platform/formatOwner';
import type { FleetTools } from '../../../platform/fleetTools';
import { formatNames } from '../../../platform/formatList';
import { resolveTarget } from '../../../platform/resolveTarget';
import { manageSecrets } from '../manageSecrets';

/** Lists the secrets that the machines of a location use to sign in. */
export async function openLocationSecrets(
  tools: FleetTools,
  given: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', given, 'readSecrets');
  await manageSecrets({
    secrets: stores.secrets,
    owner: { kind: 'location', id: target.locationId },
    ownerText: vscode.l10n.t('the location "{0}"', target.name),
    consequence: (left) => consequence(stores, target, left),
  });
}

/**
 * Describes the machines that could lose access. The service doesn't report which secret each
 * machine uses.
 */
async function consequence(
  stores: FleetStores,
  target: LocationTarget,
  left: number,
): Promise<string> {
  const [machines, organization] = await Promise.all([
    stores.machines.list(target.locationId, { fresh: true }),
    owningOrganization(stores, target),
  ]);
  return [
    formatOwner(organization),
    describeMachines(getNames(machines)),
    describeRemainingSecrets(left),
  ].join(' ');
}

function describeMachines(names: readonly string[]): string {
  switch (names.length) {
    case 0:
      return vscode.l10n.t('This location has no machines.');
    case 1:
      return vscode.l10n.t(
        'This location has one machine: {0}. If it signs in with this secret, it loses access immediately.',
        formatNames(names),
      );
    default:
      return vscode.l10n.t(
        'This location has {0} machines: {1}. Any machine that signs in with this secret loses access immediately.',
        names.length,
        formatNames(names),
      );
  }
}

/** Explains whether another secret remains valid. */
export function describeRemainingSecrets(left: number): string {
  return left > 0
    ? vscode.l10n.t('The other secret remains valid.')
    : vscode.l10n.t(
        'This is the last secret. Until you create a new one, nothing can authenticate with a secret.',
      );
}
