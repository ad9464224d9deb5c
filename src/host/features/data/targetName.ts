import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { displayName } from '../../../core/model/displayText';
import { targetId } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { BrowsableTarget } from '../../../manifest/commands';

/** The name of what a panel was opened on. */
export interface TargetName {
  readonly name: string;
  /** The name as it is shown. */
  readonly text: string;
}

/**
 * How a target is called now, and as before where that cannot be read. What is gone is said to be: that
 * nothing is found there is then no matter of the filter.
 * @param known how it was called before
 */
export async function targetName(
  stores: FleetStores,
  target: BrowsableTarget,
  known: string,
): Promise<TargetName> {
  const id = targetId(target);
  try {
    const name = await nameOf(stores, target);
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

async function nameOf(stores: FleetStores, target: BrowsableTarget): Promise<string> {
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
