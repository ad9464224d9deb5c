import { FleetError } from '../../../core/api/errors';
import { displayName } from '../../../core/model/displayText';
import type { FleetTarget, ResourceKind, ResourceTarget } from '../../../core/model/resourceTarget';
import { owningOrganization } from '../../../core/stores/owningOrganization';
import type { Selection } from '../../../manifest/commands';
import type { FleetTools } from '../../platform/fleetTools';
import { listText } from '../../platform/listText';
import type { TargetOf } from '../../platform/targetPicker';
import type { ReportedProblem } from '../../platform/bulkReport';
import type { BulkReports } from '../../platform/bulkReports';
import { notOfThatKind } from './skippedText';

/** What the commands on many resources work with. */
export interface BulkTools extends FleetTools {
  /** What is selected in the tree, for commands that were called without a target. */
  readonly selection: () => readonly FleetTarget[];
  readonly reports: BulkReports;
}

/** The targets a command can work on, and why it leaves the others alone. */
export interface FittingTargets<T> {
  readonly fitting: readonly T[];
  readonly skipped: readonly ReportedProblem[];
}

/** What a command acts on: all that is selected, the one that was clicked, or the tree's selection. */
export function givenTargets(
  tools: BulkTools,
  [clicked, selected]: Selection,
): readonly FleetTarget[] {
  if (selected && selected.length > 0) return selected;
  return clicked ? [clicked] : tools.selection();
}

/** Sorts out what a command works on. Throws `invalid` with `nothing` when there is none of it. */
export function ofKinds<K extends ResourceKind>(
  targets: readonly FleetTarget[],
  kinds: readonly K[],
  nothing: string,
): FittingTargets<TargetOf<K>> {
  const fits = (target: FleetTarget): target is TargetOf<K> =>
    kinds.some((kind) => kind === target.kind);
  const fitting = targets.filter(fits);
  if (fitting.length === 0) throw new FleetError('invalid', nothing);
  return { fitting, skipped: notOfThatKind(targets.filter((target) => !fits(target))) };
}

/** The names of the organizations that the targets belong to. */
export async function organizationNames(
  { sessions }: BulkTools,
  targets: readonly ResourceTarget[],
): Promise<string> {
  const places = new Map(targets.map((target) => [placeKey(target), target]));
  const owners = await Promise.all(
    [...places.values()].map((target) => {
      const stores = sessions.stores(target.connectionId);
      return 'locationId' in target
        ? owningOrganization(stores, target)
        : stores.organizations.get(target.organizationId);
    }),
  );
  return listText([...new Set(owners.map((owner) => `"${displayName(owner)}"`))]);
}

function placeKey(target: ResourceTarget): string {
  return 'locationId' in target ? target.locationId : target.organizationId;
}
