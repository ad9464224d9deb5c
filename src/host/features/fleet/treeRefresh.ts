import { DisposableSet } from '../../../base/disposable';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetListings } from './fleetListings';
import type { FleetNode } from './nodes/fleetNode';
import { targetId } from '../../../core/model/resourceTarget';
import type { ErrorNode } from './nodes/listNodes';

type Kind = FleetNode['kind'];

/** Tree that must reflect changes in stores. */
export interface RefreshableTree {
  /** Returns the listings for the current grouping and filter. */
  readonly listings: () => FleetListings | undefined;
  /** Reloads nodes by kind and ID. */
  readonly refresh: (kind: Kind, ids: readonly string[]) => void;
  /** Like `refresh`, but for nodes that are grouped or filtered. */
  readonly refreshListed: (kind: Kind, ids: readonly string[]) => void;
  /** Reloads the shown roles on these resources. */
  readonly refreshRoles: (resourceIds: readonly string[]) => void;
  readonly refreshAll: () => void;
  /** Reloads the open nodes of a given kind. */
  readonly refreshOpened: (kind: Kind) => void;
}

/** Reloads affected nodes in a tree when a store changes, until the result is disposed of. */
export function subscribeToStores(
  stores: FleetStores,
  { listings, refresh, refreshListed, refreshRoles, refreshAll, refreshOpened }: RefreshableTree,
): DisposableSet {
  const following = new DisposableSet();
  following.add(stores.access.onDidChange(refreshAll));
  following.add(
    stores.organizations.onDidChange(({ list }) => {
      if (list) refreshAll();
    }),
  );
  following.add(
    stores.locations.onDidChange(({ parents }) => refreshListed('organization', parents)),
  );
  following.add(
    stores.machines.onDidChange(({ ids, parents }) => {
      refreshListed('location', parents);
      // Roles show the names of their resources.
      refreshRoles(ids);
    }),
  );
  following.add(
    stores.parts.onDidChange(({ ids, removed, parents, all }) => {
      if (all) listings()?.clearUses();
      if (ids.length + removed.length > 0) listings()?.machinesChanged(parents);
      refresh('machine', parents);
    }),
  );
  following.add(
    stores.fragments.onDidChange(({ parents }) => {
      listings()?.fragmentsChanged();
      refreshListed('fragments', parents);
    }),
  );
  following.add(stores.datasets.onDidChange(({ parents }) => refreshListed('datasets', parents)));
  following.add(
    stores.binaryData.onDidChange(({ kind }) => {
      // The tooltips of datasets show totals for their contents, which have changed.
      if (kind === 'datasets' || kind === 'deleted') refreshOpened('datasets');
    }),
  );
  following.add(
    stores.registry.onDidChange(({ parents }) => {
      refreshListed('modules', parents);
      refreshListed('otherItems', parents);
    }),
  );
  following.add(stores.members.onDidChange(({ parents }) => refresh('members', parents)));
  following.add(stores.apiKeys.onDidChange(({ parents }) => refresh('apiKeys', parents)));
  return following;
}

const TOP = '';

/** Nodes that VS Code currently has, for finding the nodes of a changed resource. */
export class ShownNodes {
  private readonly nodes = new Map<string, FleetNode>();
  private readonly children = new Map<string, readonly FleetNode[]>();

  get(id: string): FleetNode | undefined {
    return this.nodes.get(id);
  }

  /** Returns the nodes of one kind that represent any of these resources. */
  ofKind(kind: FleetNode['kind'], resourceIds: ReadonlySet<string>): readonly FleetNode[] {
    if (resourceIds.size === 0) return [];
    return [...this.nodes.values()].filter(
      (node) =>
        node.kind === kind &&
        'target' in node &&
        node.target !== undefined &&
        resourceIds.has(targetId(node.target)),
    );
  }

  /** Returns the parents of roles on these resources. */
  holdersOn(resourceIds: ReadonlySet<string>): readonly FleetNode[] {
    if (resourceIds.size === 0) return [];
    const holders = new Set<string>();
    for (const node of this.nodes.values()) {
      const isOn = node.kind === 'role' && resourceIds.has(node.role.resourceId);
      if (isOn) holders.add(node.parent.id);
    }
    return [...holders].flatMap((id) => this.nodes.get(id) ?? []);
  }

  /** Returns the nodes whose children are loaded. */
  opened(): readonly FleetNode[] {
    return [...this.children.keys()].flatMap((id) => this.nodes.get(id) ?? []);
  }

  /** Returns the error nodes of lists that failed because the service didn't respond. */
  unanswered(): readonly ErrorNode[] {
    return [...this.nodes.values()].flatMap((node) =>
      node.kind === 'error' && node.error.kind === 'unavailable' ? [node] : [],
    );
  }

  listChildren(parent: FleetNode): readonly FleetNode[] {
    return (this.children.get(parent.id) ?? []).flatMap(({ id }) => this.nodes.get(id) ?? []);
  }

  replaceChildren(parent: FleetNode | undefined, children: readonly FleetNode[]): void {
    const key = parent?.id ?? TOP;
    const before = this.children.get(key) ?? [];
    // Another page reuses the nodes before it, so only nodes after the first difference are new.
    let first = 0;
    while (first < before.length && before[first] === children[first]) first += 1;
    const added = children.slice(first);
    if (first < before.length) {
      const remaining = new Set(added.map(({ id }) => id));
      for (const node of before.slice(first)) if (!remaining.has(node.id)) this.drop(node);
    }
    for (const child of added) this.nodes.set(child.id, child);
    this.children.set(key, children);
  }

  clear(): void {
    this.nodes.clear();
    this.children.clear();
  }

  private drop(node: FleetNode): void {
    // A resource that moved has the same ID in its new parent, which can be read first.
    if (this.nodes.get(node.id) !== node) return;
    const below = this.children.get(node.id) ?? [];
    this.children.delete(node.id);
    this.nodes.delete(node.id);
    for (const child of below) this.drop(child);
  }
}
