import { FleetError } from '../../../core/api/errors';
import { displayName } from '../../../core/model/toDisplayText';
import type { FleetTarget, ResourceKind, ResourceTarget } from '../../../core/model/resourceTarget';
import { owningOrganization } from '../../../core/stores/owningOrganization';
import type { Selection } from '../../../manifest/commands';
import type { FleetTools } from '../../platform/fleetTools';
import { formatList } from '../../platform/formatList';
import type { TargetOfKind } from '../../platform/targetPicker';
import type { ReportedProblem } from '../../platform/bulkReport';
import type { BulkReports } from '../../platform/bulkReports';
import { toUnsupportedProblems } from './skippedText';

/** Dependencies of the bulk commands. */
export interface BulkTools extends FleetTools {
  /** Returns the tree selection, for commands without a target. */
  readonly selection: () => readonly FleetTarget[];
  readonly reports: BulkReports;
}

/**
 * Targets that a command supports, and report entries with the reasons why the others are skipped.
 */
export interface FittingTargets<T> {
  readonly fitting: readonly T[];
  readonly skipped: readonly ReportedProblem[];
}

/**
 * Returns the targets of a command: all selected items, the clicked item, or the tree selection.
 */
export function getCommandTargets(
  tools: BulkTools,
  [clicked, selected]: Selection,
): readonly FleetTarget[] {
  if (selected && selected.length > 0) return selected;
  return clicked ? [clicked] : tools.selection();
}

/**
 * Separates the supported targets from the others. Throws `invalid` with the message `nothing` if
 * none are supported.
 */
export function ofKinds<K extends ResourceKind>(
  targets: readonly FleetTarget[],
  kinds: readonly K[],
  emptyMessage: string,
): FittingTargets<TargetOfKind<K>> {
  const fits = (target: FleetTarget): target is TargetOfKind<K> =>
    kinds.some((kind) => kind === target.kind);
  const fitting = targets.filter(fits);
  if (fitting.length === 0) throw new FleetError('invalid', emptyMessage);
  return { fitting, skipped: toUnsupportedProblems(targets.filter((target) => !fits(target))) };
}

/** Returns the names of the targets' organizations. */
export async function organizationNames(
  { sessions }: BulkTools,
  targets: readonly ResourceTarget[],
): Promise<string> {
  const targetByParent = new Map(targets.map((target) => [getParentKey(target), target]));
  const owners = await Promise.all(
    [...targetByParent.values()].map((target) => {
      const stores = sessions.stores(target.connectionId);
      return 'locationId' in target
        ? owningOrganization(stores, target)
        : stores.organizations.get(target.organizationId);
    }),
  );
  return formatList([...new Set(owners.map((owner) => `"${displayName(owner)}"`))]);
}

function getParentKey(target: ResourceTarget): string {
  return 'locationId' in target ? target.locationId : target.organizationId;
}
