import type { FragmentUseIndex } from '../../../../core/bulk/fragmentUseIndex';
import type { ListedMachine } from '../../../../core/listing/organizationListing';
import type { OnlineStatus } from '../../../../core/model/entities';
import { inNameOrder } from '../../../../core/model/nameOrder';
import { getPresence } from '../../../../core/model/presence';
import type { Grouping } from '../arrangement';
import type { OrganizationView } from '../fleetListings';
import { type GroupFragment, type MachineGroup, MachineGroupNode } from './machineGroupNode';
import type { OrganizationScope, TreeNode } from './treeNode';

/** Statuses that need attention come first. */
const STATUSES: readonly OnlineStatus[] = ['offline', 'unknown', 'awaitingSetup', 'online'];

/** Returns the groups of an organization's machines. */
export function machineGroups(
  parent: TreeNode,
  scope: OrganizationScope,
  grouping: Exclude<Grouping, 'location'>,
  view: OrganizationView,
): readonly MachineGroupNode[] {
  const uses = scope.context.listings.usesIn(scope.organizationId);
  return grouping === 'status'
    ? byStatus(parent, scope, view.machines, uses)
    : byFragment(parent, scope, view, uses);
}

function byStatus(
  parent: TreeNode,
  scope: OrganizationScope,
  machines: readonly ListedMachine[],
  uses: FragmentUseIndex,
): readonly MachineGroupNode[] {
  const now = scope.context.clock.now();
  const sorted = new Map<OnlineStatus, ListedMachine[]>(STATUSES.map((status) => [status, []]));
  for (const listed of machines) sorted.get(getPresence(listed.machine, now).status)?.push(listed);
  return [...sorted].flatMap(([status, members]) =>
    // Most services report the status of every machine, so this group is usually empty.
    status === 'unknown' && members.length === 0
      ? []
      : [new MachineGroupNode(parent, scope, { type: 'status', status }, members, uses)],
  );
}

/**
 * Returns the groups for the organization's own fragments, for fragments of other organizations
 * that its machines are known to use, and for machines without fragments.
 */
function byFragment(
  parent: TreeNode,
  scope: OrganizationScope,
  { machines, allFragments }: OrganizationView,
  uses: FragmentUseIndex,
): readonly MachineGroupNode[] {
  const own = new Set<string>(allFragments.map(({ id }) => id));
  const used = new Set(machines.flatMap(({ machine }) => [...uses.usedBy(machine.id)]));
  const foreign = [...used]
    .filter((id) => !own.has(id))
    .map((id) => ({ id, name: uses.getFragmentName(id), partCount: 0 }));
  const all: readonly GroupFragment[] = inNameOrder([...allFragments, ...foreign]);
  const groups: readonly MachineGroup[] = [
    ...[...all, undefined].map((fragment) => ({ type: 'fragment', fragment }) as const),
    ...(machines.some(({ machine }) => uses.failedOn(machine.id))
      ? [{ type: 'unreadable' } as const]
      : []),
  ];
  return groups.map((group) => new MachineGroupNode(parent, scope, group, machines, uses));
}
