import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { displayName } from '../../../core/model/displayText';
import {
  type FleetTarget,
  RESOURCE_KINDS,
  type ResourceKind,
  type ResourceTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import { owningOrganization } from '../../../core/stores/ownersAbove';
import type { Selection } from '../../../manifest/commandArguments';
import type { FleetTools } from '../../platform/fleetTools';
import { formatList } from '../../platform/text/displayText';
import type { TargetOfKind } from '../../platform/prompts/targetPicker';
import type { BulkReports, ReportedProblem } from '../../platform/commands/bulkReports';
import { hasRight, type Right, toRoleScope } from '../../../core/model/permissions';
import { describeMissingRight, requireRight } from '../../platform/permissions/requireRight';

/** Dependencies of the bulk commands. */
export interface BulkTools extends FleetTools {
  /** Returns the tree selection, for commands without a target. */
  readonly selection: () => readonly FleetTarget[];
  readonly reports: BulkReports;
}

/**
 * Targets that a command supports, and report entries with the reasons for skipping the other
 * targets.
 */
interface FittingTargets<T> {
  readonly fitting: readonly T[];
  readonly skipped: readonly ReportedProblem[];
}

/** Returns a command's targets: all selected items, the clicked item, or the tree selection. */
export function getCommandTargets(
  tools: BulkTools,
  [clicked, selected]: Selection,
): readonly FleetTarget[] {
  if (selected && selected.length > 0) return selected;
  return clicked ? [clicked] : tools.selection();
}

/**
 * Separates the supported targets from the unsupported ones. Throws `invalid` with the message
 * `nothing` if none are supported.
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

/**
 * Returns a resource's name for a report. For a part, includes its machine's name, because parts
 * are often just named `main`.
 */
export function formatTarget(target: FleetTarget): string {
  const name = displayName({ name: target.name, id: targetId(target) });
  if (target.kind !== 'part') return name;
  return `${displayName({ name: target.machineName, id: target.machineId })} › ${name}`;
}

/** Formats the number of targets of each kind, such as `2 locations and 1 machine`. */
export function formatTargetCounts(targets: readonly { readonly kind: ResourceKind }[]): string {
  const counted = RESOURCE_KINDS.map((kind) => {
    const count = targets.filter((target) => target.kind === kind).length;
    return count > 0 ? formatKindCount(kind, count) : '';
  });
  return formatList(counted.filter((phrase) => phrase !== ''));
}

// Formats the number of targets of one kind. Uses a complete phrase for each kind, because plural
// rules depend on the language.
function formatKindCount(kind: ResourceKind, count: number): string {
  switch (kind) {
    case 'organization':
      return count === 1
        ? vscode.l10n.t('1 organization')
        : vscode.l10n.t('{0} organizations', count);
    case 'location':
      return count === 1 ? vscode.l10n.t('1 location') : vscode.l10n.t('{0} locations', count);
    case 'machine':
      return count === 1 ? vscode.l10n.t('1 machine') : vscode.l10n.t('{0} machines', count);
    case 'part':
      return count === 1 ? vscode.l10n.t('1 part') : vscode.l10n.t('{0} parts', count);
    case 'fragment':
      return count === 1 ? vscode.l10n.t('1 fragment') : vscode.l10n.t('{0} fragments', count);
    case 'dataset':
      return count === 1 ? vscode.l10n.t('1 dataset') : vscode.l10n.t('{0} datasets', count);
    case 'registryItem':
      return count === 1
        ? vscode.l10n.t('1 registry item')
        : vscode.l10n.t('{0} registry items', count);
  }
}

/** Returns report entries for selected resources that a command doesn't support. */
function toUnsupportedProblems(targets: readonly FleetTarget[]): readonly ReportedProblem[] {
  return targets.map((target) => ({
    name: formatTarget(target),
    reason: vscode.l10n.t("This action isn't available for resources of this type. Deselect it."),
  }));
}

/** Returns a sentence about skipped resources for a confirmation; empty if there are none. */
export function describeSkipped(skipped: readonly ReportedProblem[]): readonly string[] {
  if (skipped.length === 0) return [];
  return [
    skipped.length === 1
      ? vscode.l10n.t("1 other selected resource isn't affected.")
      : vscode.l10n.t("{0} other selected resources aren't affected.", skipped.length),
  ];
}

/**
 * Returns the targets on which the API key has a right, and report entries for the other targets.
 * Makes one call.
 * @throws PermissionRefusal if no targets remain, with the missing right and the users to contact.
 */
export async function withRight<T extends ResourceTarget>(
  { sessions }: BulkTools,
  targets: readonly T[],
  right: Right,
): Promise<FittingTargets<T>> {
  const [first] = targets;
  if (!first) return { fitting: [], skipped: [] };
  // A tree shows only one connection, so the first target determines the connection.
  const stores = sessions.stores(first.connectionId);
  const granted = await stores.access.getPermissions(targets.map(toRoleScope));
  const isAllowed = (target: T, index: number): boolean => {
    const here = granted[index];
    return here !== undefined && hasRight(target.kind, here, right);
  };
  const fitting = targets.filter(isAllowed);
  if (fitting.length === 0) await requireRight(stores, first, right);
  const denied = targets.filter((target, index) => !isAllowed(target, index));
  return {
    fitting,
    skipped: denied.map((target) => {
      const name = formatTarget(target);
      return { name, reason: describeMissingRight(right, name) };
    }),
  };
}
