import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { displayName } from '../../../core/model/toDisplayText';
import { targetId } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { BrowsableTarget } from '../../../manifest/commands';

/** Name of a panel's target. */
export interface TargetName {
  readonly name: string;
  /** Name as displayed. */
  readonly text: string;
}

/**
 * Returns the current name of a target, or the previous name if the current one can't be read.
 * Marks a deleted target, because then the filter isn't the reason for an empty result.
 * @param known previous name
 */
export async function targetName(
  stores: FleetStores,
  target: BrowsableTarget,
  known: string,
): Promise<TargetName> {
  const id = targetId(target);
  try {
    const name = await readTargetName(stores, target);
    return { name, text: displayName({ name, id }) };
  } catch (error) {
    const text = displayName({ name: known, id });
    const isGone = error instanceof FleetError && error.kind === 'notFound';
    return {
      name: known,
      text: isGone ? vscode.l10n.t('{0} (deleted or no access)', text) : text,
    };
  }
}

async function readTargetName(stores: FleetStores, target: BrowsableTarget): Promise<string> {
  switch (target.kind) {
    case 'organization':
      return (await stores.organizations.get(target.organizationId)).name;
    case 'location':
      return (await stores.locations.get(target.locationId)).name;
    case 'machine':
      return (await stores.machines.get(target.machineId)).name;
    case 'part':
      return (await stores.parts.get(target.partId)).name;
    case 'dataset':
      return (await stores.datasets.get(target.datasetId)).name;
  }
}
