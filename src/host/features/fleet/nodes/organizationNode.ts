import type { OnlineStatus, Organization } from '../../../../core/model/entities';
import { getRights, type Granted, hasRight } from '../../../../core/model/permissions';
import type { OrganizationTarget } from '../../../../core/model/resourceTarget';
import { isFiltering, type ListedMachine } from '../../../../core/stores/organizationListing';
import { ApiKeysNode, MembersNode } from './accessNodes';
import { DatasetsNode } from './datasetNodes';
import { FragmentsNode } from './fragmentNodes';
import { HintNode } from './listNodes';
import { childLocations, type LocationNode } from './locationNode';
import { type GroupFragment, type MachineGroup, MachineGroupNode } from './machineGroupNode';
import { isIn, RegistryFolderNode } from './registryNodes';
import {
  contextTokens,
  type FleetContext,
  type OrganizationScope,
  type TreeNode,
} from './treeNode';
import type { FragmentUseIndex } from '../../../../core/bulk/fragmentUseIndex';
import { inNameOrder } from '../../../../core/model/resourceName';
import { getPresence } from '../../../../core/model/presence';
import type { Grouping } from '../arrangement';
import type { OrganizationView } from '../fleetListings';

type OrganizationChild =
  | LocationNode
  | MachineGroupNode
  | HintNode
  | FragmentsNode
  | DatasetsNode
  | RegistryFolderNode
  | MembersNode
  | ApiKeysNode;

/**
 * Organization node, with its top-level locations, fragments, datasets, registry items, members,
 * and API keys.
 */
export class OrganizationNode implements TreeNode {
  readonly kind = 'organization';
  readonly id: string;
  readonly parent = undefined;
  readonly contextValue: string;
  readonly target: OrganizationTarget;

  constructor(
    readonly context: FleetContext,
    readonly organization: Organization,
    readonly granted: Granted,
  ) {
    this.contextValue = contextTokens('organization', ...getRights('organization', granted));
    this.id = `${context.connection.id}/organization/${organization.id}`;
    this.target = {
      kind: 'organization',
      connectionId: context.connection.id,
      organizationId: organization.id,
      name: organization.name,
    };
  }

  async children(): Promise<readonly OrganizationChild[]> {
    const { context, granted } = this;
    const { grouping, filter } = context.arrangement;
    const scope: OrganizationScope = {
      context,
      granted,
      organizationId: this.organization.id,
      nodeId: this.id,
    };
    if (isFiltering(filter)) return this.left(scope);
    const folders = [
      new FragmentsNode(this, scope, this.target),
      new DatasetsNode(this, scope, this.target),
      new RegistryFolderNode('modules', this, scope, this.target),
      new RegistryFolderNode('otherItems', this, scope, this.target),
      new MembersNode(this, scope, this.target),
      new ApiKeysNode(this, scope, this.target),
    ];
    if (grouping !== 'location') {
      const view = await context.listings.of(this.organization, filter);
      return [...machineGroups(this, scope, grouping, view), ...folders];
    }
    const locations = await this.locations(scope);
    if (locations.length > 0) return [...locations, ...folders];
    const canCreate = hasRight('organization', granted, 'administer');
    return [new HintNode(this, 'noLocations', canCreate), ...folders];
  }

  /** Returns the children that match the filter or contain matches. */
  private async left(scope: OrganizationScope): Promise<readonly OrganizationChild[]> {
    const { grouping, filter } = this.context.arrangement;
    const view = await this.context.listings.of(this.organization, filter);
    // Each filter uses different node IDs, because VS Code would otherwise keep nodes collapsed
    // that the user collapsed earlier.
    const nodeId = `${this.id}/filter/${JSON.stringify(filter)}`;
    const here: OrganizationScope = { ...scope, nodeId, left: view };
    const machines =
      grouping === 'location'
        ? await this.locations(here)
        : machineGroups(this, here, grouping, view).filter(({ count }) => count !== 0);
    const { fragments, datasets, registryItems } = view;
    const folders = (['modules', 'otherItems'] as const).filter((folder) =>
      registryItems.some((item) => isIn(folder, item)),
    );
    return [
      ...machines,
      ...(fragments.length > 0 ? [new FragmentsNode(this, here, this.target, fragments)] : []),
      ...(datasets.length > 0 ? [new DatasetsNode(this, here, this.target, datasets)] : []),
      ...folders.map(
        (folder) => new RegistryFolderNode(folder, this, here, this.target, registryItems),
      ),
    ];
  }

  private async locations(scope: OrganizationScope): Promise<readonly LocationNode[]> {
    const { organization, granted } = this;
    return childLocations(this, scope, {
      all: await this.context.stores.locations.list(organization.id),
      below: { type: 'organization', id: organization.id },
      granted,
    });
  }
}

/** Statuses in display order. Statuses that need attention are first. */
const STATUSES: readonly OnlineStatus[] = ['offline', 'unknown', 'awaitingSetup', 'online'];

/** Returns the groups for an organization's machines. */
function machineGroups(
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
 * Returns the groups for the organization's own fragments, for fragments from other organizations
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
