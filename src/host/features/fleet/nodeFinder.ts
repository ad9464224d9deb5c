import { pathTo } from '../../../core/model/locationTree';
import {
  type FleetTarget,
  type RegistryItemTarget,
  type ResourceTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { isArranged } from './arrangement';
import type { FleetNode } from './nodes/fleetNode';
import type { FleetContext } from './nodes/treeNode';
import { accessSteps, isAccessTarget, type PathStep } from './pathStep';

/** What finding a node needs of the tree. */
export interface SearchedTree {
  readonly context: FleetContext;
  readonly pageSize: number;
  /** The children of a node, or the top, without keeping them. */
  readonly read: (node: FleetNode | undefined) => Promise<readonly FleetNode[]>;
  /** Makes a list this long. */
  readonly showUpTo: (nodeId: string, count: number) => void;
}

/** Finds the way from the top of the tree to what stands for a resource. */
export class NodeFinder {
  constructor(private readonly tree: SearchedTree) {}

  /**
   * Finds the node of a resource, opening on the way what it is in; undefined when it is gone. VS Code
   * does not hold the nodes found here, so they must not take the places of those it holds: it
   * passes over changes of nodes it does not know.
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

  /** The child a step leads to, after making a list long enough to show it. */
  private async child(node: FleetNode | undefined, step: PathStep): Promise<FleetNode | undefined> {
    const children = await this.tree.read(node);
    const found = children.find(
      (child) => child.kind === step.kind && resourceId(child) === step.id,
    );
    const more = children.at(-1);
    // Machines are looked up before: a list of thousands need not open for one that is gone.
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

  /** The first group a machine is in; an empty one is not looked into. */
  private async groupSteps({
    organizationId,
    machineId,
  }: Extract<ResourceTarget, { readonly machineId: unknown }>): Promise<readonly PathStep[]> {
    const organization = await this.child(undefined, { kind: 'organization', id: organizationId });
    const groups = organization ? await this.tree.read(organization) : [];
    for (const group of groups) {
      if (group.kind !== 'machineGroup') continue;
      if (await group.holds(machineId)) return [{ kind: 'machineGroup', id: group.key }];
    }
    return [];
  }

  /** The location with those above it, outermost first. */
  private async locationSteps(
    { organizationId, locationId }: Extract<ResourceTarget, { readonly locationId: unknown }>,
    stores: FleetStores,
  ): Promise<readonly PathStep[]> {
    const all = await stores.locations.list(organizationId);
    const byId = new Map(all.map((location) => [location.id, location]));
    return pathTo(locationId, byId).map(({ id }) => ({ kind: 'location', id }));
  }

  /** Makes a list long enough to show a machine. */
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
