import { pathTo } from '../../../core/model/locationTree';
import {
  type AccessTarget,
  accessTargetId,
  type FleetTarget,
  type RegistryItemTarget,
  type ResourceTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { isArranged } from './arrangement';
import type { FleetNode } from './nodes/fleetNode';
import type { FleetContext } from './nodes/treeNode';

/** Tree functions that are required for finding a node. */
export interface SearchedTree {
  readonly context: FleetContext;
  readonly pageSize: number;
  /** Reads a node's children, or the top level, without storing them. */
  readonly read: (node: FleetNode | undefined) => Promise<readonly FleetNode[]>;
  /** Extends a list so that it shows this number of nodes. */
  readonly showUpTo: (nodeId: string, count: number) => void;
}

/** Finds the path from the top of the tree to a resource's node. */
export class NodeFinder {
  constructor(private readonly tree: SearchedTree) {}

  /**
   * Finds a resource's node, reading its parents on the way; undefined if the resource was deleted.
   * These nodes haven't been passed to VS Code, so they must not replace nodes that have been
   * passed to it. VS Code ignores changes to nodes that it hasn't received.
   */
  async find(target: FleetTarget): Promise<FleetNode | undefined> {
    const path = await this.pathTo(target, this.tree.context.stores);
    let node: FleetNode | undefined;
    for (const step of path) {
      const next = await this.child(node, step);
      if (!next) return undefined;
      node = next;
    }
    return node;
  }

  /** Returns the child for a path step, after extending the list to include it. */
  private async child(node: FleetNode | undefined, step: PathStep): Promise<FleetNode | undefined> {
    const children = await this.tree.read(node);
    const found = children.find(
      (child) => child.kind === step.kind && resourceId(child) === step.id,
    );
    const more = children.at(-1);
    // Machines have already been looked up, so a list of thousands doesn't have to be extended for
    // a deleted machine.
    const isLookedUp = node?.kind === 'location' && !isArranged(this.tree.context.arrangement);
    if (found || isLookedUp || more?.kind !== 'loadMore') return found;
    this.tree.showUpTo(more.parent.id, more.total);
    return this.child(node, step);
  }

  private async pathTo(target: FleetTarget, stores: FleetStores): Promise<readonly PathStep[]> {
    const organization: PathStep = { kind: 'organization', id: target.organizationId };
    if (target.kind === 'organization') return [organization];
    if (isAccessTarget(target)) return [organization, ...accessSteps(target)];
    if (target.kind === 'fragment') {
      const folder: PathStep = { kind: 'fragments', id: target.organizationId };
      return [organization, folder, { kind: 'fragment', id: target.fragmentId }];
    }
    if (target.kind === 'dataset') {
      const folder: PathStep = { kind: 'datasets', id: target.organizationId };
      return [organization, folder, { kind: 'dataset', id: target.datasetId }];
    }
    if (target.kind === 'registryItem') return [organization, ...registrySteps(target)];
    if (target.kind === 'location') {
      return [organization, ...(await this.locationSteps(target, stores))];
    }
    const machine: PathStep = { kind: 'machine', id: target.machineId };
    const part: readonly PathStep[] =
      target.kind === 'part' ? [{ kind: 'part', id: target.partId }] : [];
    if (this.tree.context.arrangement.grouping !== 'location') {
      return [organization, ...(await this.groupSteps(target)), machine, ...part];
    }
    const locations = await this.locationSteps(target, stores);
    await this.showMachine(target, stores);
    return [organization, ...locations, machine, ...part];
  }

  /** Returns the first group that contains a machine. Skips empty groups. */
  private async groupSteps({
    organizationId,
    machineId,
  }: Extract<ResourceTarget, { readonly machineId: unknown }>): Promise<readonly PathStep[]> {
    const organization = await this.child(undefined, { kind: 'organization', id: organizationId });
    const groups = organization ? await this.tree.read(organization) : [];
    for (const group of groups) {
      if (group.kind !== 'machineGroup') continue;
      if (await group.containsMachine(machineId)) return [{ kind: 'machineGroup', id: group.key }];
    }
    return [];
  }

  /**
   * Returns the path steps for the location and its parents, outermost first. The step for a location
   * that doesn't exist is included, so that the search fails instead of finding the organization.
   */
  private async locationSteps(
    { organizationId, locationId }: Extract<ResourceTarget, { readonly locationId: unknown }>,
    stores: FleetStores,
  ): Promise<readonly PathStep[]> {
    const all = await stores.locations.list(organizationId);
    const byId = new Map(all.map((location) => [location.id, location]));
    const path = pathTo(locationId, byId).map(({ id }) => id);
    const ids = path.length > 0 ? path : [locationId];
    return ids.map((id) => ({ kind: 'location', id }));
  }

  /** Extends a list to include a machine. */
  private async showMachine(
    target: Extract<ResourceTarget, { readonly machineId: unknown }>,
    stores: FleetStores,
  ): Promise<void> {
    const { context, pageSize } = this.tree;
    if (isArranged(context.arrangement)) return;
    const machines = await stores.machines.list(target.locationId);
    const index = machines.findIndex(({ id }) => id === target.machineId);
    const organization = `${target.connectionId}/organization/${target.organizationId}`;
    const nodeId = `${organization}/location/${target.locationId}`;
    if (index < context.shownCount(nodeId)) return;
    this.tree.showUpTo(nodeId, (Math.floor(index / pageSize) + 1) * pageSize);
  }
}

function registrySteps({
  organizationId,
  itemType,
  itemId,
}: RegistryItemTarget): readonly PathStep[] {
  const kind = itemType === 'module' ? 'modules' : 'otherItems';
  return [
    { kind, id: organizationId },
    { kind: 'registryItem', id: itemId },
  ];
}

function resourceId(node: FleetNode): string | undefined {
  if (node.kind === 'machineGroup') return node.key;
  return 'target' in node && node.target ? targetId(node.target) : undefined;
}

/** Step on the path from the top of the tree to a resource: a node, identified by its resource. */
interface PathStep {
  readonly kind: FleetNode['kind'];
  readonly id: string;
}

function isAccessTarget(target: FleetTarget): target is AccessTarget {
  const kinds: readonly FleetTarget['kind'][] = ['member', 'invite', 'apiKey', 'role'];
  return kinds.includes(target.kind);
}

/**
 * Returns the path below an organization to a member, an invitation, a key, or one of their roles.
 */
function accessSteps(target: AccessTarget): readonly PathStep[] {
  const members: PathStep = { kind: 'members', id: target.organizationId };
  const apiKeys: PathStep = { kind: 'apiKeys', id: target.organizationId };
  switch (target.kind) {
    case 'member':
    case 'invite':
      return [members, { kind: target.kind, id: accessTargetId(target) }];
    case 'apiKey':
      return [apiKeys, { kind: 'apiKey', id: target.keyId }];
    case 'role': {
      const { holder } = target;
      const role: PathStep = { kind: 'role', id: accessTargetId(target) };
      if (holder.type === 'apiKey') return [apiKeys, { kind: 'apiKey', id: holder.id }, role];
      return [members, { kind: holder.type === 'user' ? 'member' : 'invite', id: holder.id }, role];
    }
  }
}
