import type { Location, Machine } from '../../../../core/model/entities';
import type { LocationId } from '../../../../core/model/ids';
import type { LocationTarget } from '../../../../core/model/resourceTarget';
import { HintNode } from './hintNode';
import { LoadMoreNode } from './loadMoreNode';
import { MachineNode } from './machineNode';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** A location: the locations inside it, then its machines, page by page. */
export class LocationNode implements TreeNode {
  readonly kind = 'location';
  readonly id: string;
  readonly contextValue = contextTokens('location');
  readonly target: LocationTarget;
  private readonly machineNodes = new WeakMap<Machine, MachineNode>();

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly location: Location,
  ) {
    // Without the locations above it, so that a move keeps it open; with the organization, because
    // a shared location stands in several.
    this.id = `${scope.nodeId}/location/${location.id}`;
    this.target = {
      kind: 'location',
      connectionId: scope.context.connection.id,
      organizationId: location.organizationId,
      locationId: location.id,
      name: location.name,
    };
  }

  /** A machine that has not changed keeps its node, so that a further page costs only itself. */
  private machineNode(machine: Machine, now: Date): MachineNode {
    const known = this.machineNodes.get(machine);
    if (known && !known.isOutdated(now)) return known;
    const node = new MachineNode(this, this.scope, machine, now);
    this.machineNodes.set(machine, node);
    return node;
  }

  async children(): Promise<readonly (LocationNode | MachineNode | HintNode | LoadMoreNode)[]> {
    const { stores, shownCount, clock } = this.scope.context;
    const [all, machines] = await Promise.all([
      stores.locations.list(this.location.organizationId),
      stores.machines.list(this.location.id),
    ]);
    const nested = childLocations(this, this.scope, all, this.location.id);
    const shown = shownCount(this.id);
    const now = clock.now();
    const nodes = machines.slice(0, shown).map((machine) => this.machineNode(machine, now));
    if (nested.length + nodes.length === 0) return [new HintNode(this, 'noMachines')];
    const more = machines.length > shown ? [new LoadMoreNode(this, shown, machines.length)] : [];
    return [...nested, ...nodes, ...more];
  }
}

/**
 * The locations directly below `parentId`. At the top also those whose parent is not in the list: a
 * shared location comes without the ones above it.
 */
export function childLocations(
  parent: TreeNode,
  scope: OrganizationScope,
  all: readonly Location[],
  parentId: LocationId | undefined,
): readonly LocationNode[] {
  const known = new Set(all.map(({ id }) => id));
  return all
    .filter((location) => {
      const visibleParent =
        location.parentId !== undefined && known.has(location.parentId)
          ? location.parentId
          : undefined;
      return visibleParent === parentId;
    })
    .map((location) => new LocationNode(parent, scope, location));
}
