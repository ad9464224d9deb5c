import { Disposable, DisposableSet } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { toFleetError } from '../../../core/api/errors';
import { pathTo } from '../../../core/model/locationTree';
import { EVERYTHING } from '../../../core/model/permissions';
import {
  type FleetTarget,
  type ResourceTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import type { Clock } from '../../../core/ports';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { SessionProvider } from '../../platform/sessionProvider';
import { ErrorNode } from './nodes/errorNode';
import { type BranchNode, type FleetNode, isBranch } from './nodes/fleetNode';
import { HintNode } from './nodes/hintNode';
import type { LoadMoreNode } from './nodes/loadMoreNode';
import { OrganizationNode } from './nodes/organizationNode';
import type { FleetContext, TreeNode } from './nodes/treeNode';
import { accessSteps, isAccessTarget, type PathStep } from './pathStep';
import { ShownNodes } from './shownNodes';

/** Children a long list shows at first, and more at each "Load more". */
const PAGE_SIZE = 1_000;

/**
 * The data of the fleet tree: nodes of the active connection, read from its stores when they are
 * opened, and read again where a store says that something changed.
 */
export class FleetTree extends Disposable {
  private readonly changed = this.register(new Emitter<FleetNode | undefined>());
  /** The node whose children changed; undefined for the whole tree. */
  readonly onDidChange = this.changed.event;
  private readonly shown = new ShownNodes();
  private readonly pages = new Map<string, number>();
  private context: FleetContext | undefined;
  private subscriptions = this.register(new DisposableSet());

  constructor(
    private readonly sessions: SessionProvider,
    private readonly clock: Clock,
    private readonly pageSize = PAGE_SIZE,
  ) {
    super();
    this.connect();
    this.register(
      sessions.onDidChangeActive(() => {
        this.connect();
        this.changed.fire(undefined);
      }),
    );
  }

  /** The children of a node, or the top of the tree. A failure is a node that says so. */
  async childrenOf(node?: FleetNode): Promise<readonly FleetNode[]> {
    const { context } = this;
    const children = await this.read(node);
    if (context === this.context) this.shown.replaceChildren(node, children);
    return children;
  }

  parentOf(node: FleetNode): FleetNode | undefined {
    // Nodes are made below branches only, so the parent is one too.
    return node.parent && (this.shown.get(node.parent.id) ?? (node.parent as BranchNode));
  }

  /** Shows the next page of the list that `node` ends. */
  loadMore(node: LoadMoreNode): void {
    this.pages.set(node.parent.id, node.shown + this.pageSize);
    this.refresh(node.parent);
  }

  /** Reads again what failed. */
  retry(node: ErrorNode): void {
    this.refresh(node.parent);
  }

  /** Reads everything again. */
  refreshAll(): void {
    this.context?.stores.refresh();
  }

  /**
   * Reads the states of the machines in open locations again, and draws anew what time alone has
   * changed. Failures are left to the next reader.
   */
  async pollStatus(isOpen: (node: FleetNode) => boolean): Promise<void> {
    const { context } = this;
    for (const node of this.shown.opened()) {
      if (context !== this.context || node.kind !== 'location' || !isOpen(node)) continue;
      await context?.stores.machines.reread(node.location.id).catch(() => undefined);
      const now = this.clock.now();
      if (
        this.shown
          .childrenOf(node)
          .some((child) => child.kind === 'machine' && child.isOutdated(now))
      )
        this.fire(node);
    }
  }

  /**
   * Finds the node of a resource, opening on the way what it is in; undefined when it is gone. VS Code
   * does not hold the nodes found here, so they must not take the places of those it holds: it
   * passes over changes of nodes it does not know.
   */
  async find(target: FleetTarget): Promise<FleetNode | undefined> {
    if (target.connectionId !== this.context?.connection.id) return undefined;
    const path = await this.pathTo(target, this.context.stores);
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
    const children = await this.read(node);
    const found = children.find(
      (child) => child.kind === step.kind && resourceId(child) === step.id,
    );
    const more = children.at(-1);
    // Machines are looked up before: a list of thousands need not open for one that is gone.
    if (found || node?.kind === 'location' || more?.kind !== 'loadMore') return found;
    this.pages.set(more.parent.id, more.total);
    this.fire(this.shown.get(more.parent.id));
    return this.child(node, step);
  }

  private async read(node: FleetNode | undefined): Promise<readonly FleetNode[]> {
    const { context } = this;
    if (!context || (node && !isBranch(node))) return [];
    try {
      return node ? await node.children() : await this.roots(context);
    } catch (error) {
      return [new ErrorNode(node, toFleetError(error))];
    }
  }

  private async pathTo(target: FleetTarget, stores: FleetStores): Promise<readonly PathStep[]> {
    const organization: PathStep = { kind: 'organization', id: target.organizationId };
    if (target.kind === 'organization') return [organization];
    if (isAccessTarget(target)) return [organization, ...accessSteps(target)];
    if (target.kind === 'fragment') {
      const folder: PathStep = { kind: 'fragments', id: target.organizationId };
      return [organization, folder, { kind: 'fragment', id: target.fragmentId }];
    }
    const locations = await this.locationSteps(target, stores);
    if (target.kind === 'location') return [organization, ...locations];
    await this.showMachine(target, stores);
    const machine: PathStep = { kind: 'machine', id: target.machineId };
    const part: readonly PathStep[] =
      target.kind === 'part' ? [{ kind: 'part', id: target.partId }] : [];
    return [organization, ...locations, machine, ...part];
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
    const machines = await stores.machines.list(target.locationId);
    const index = machines.findIndex(({ id }) => id === target.machineId);
    const organization = `${target.connectionId}/organization/${target.organizationId}`;
    const nodeId = `${organization}/location/${target.locationId}`;
    if (index < this.shownCount(nodeId)) return;
    this.pages.set(nodeId, (Math.floor(index / this.pageSize) + 1) * this.pageSize);
    this.fire(this.shown.get(nodeId));
  }

  private async roots(context: FleetContext): Promise<readonly FleetNode[]> {
    const organizations = await context.stores.organizations.list();
    if (organizations.length === 0) return [new HintNode(undefined, 'noOrganizations')];
    const granted = await context.stores.access.mayOn(
      organizations.map(({ id }) => ({ type: 'organization', id })),
    );
    return organizations.map(
      (organization, index) =>
        new OrganizationNode(context, organization, granted[index] ?? EVERYTHING),
    );
  }

  private shownCount(nodeId: string): number {
    return this.pages.get(nodeId) ?? this.pageSize;
  }

  private refresh(node: TreeNode | undefined): void {
    if (node === undefined) this.changed.fire(undefined);
    else this.fire(this.shown.get(node.id));
  }

  private fire(node: FleetNode | undefined): void {
    if (node) this.changed.fire(node);
  }

  /** Starts over with the active connection. */
  private connect(): void {
    this.release(this.subscriptions);
    this.subscriptions = this.register(new DisposableSet());
    this.shown.clear();
    this.pages.clear();
    const connection = this.sessions.active;
    if (!connection) {
      this.context = undefined;
      return;
    }
    const stores = this.sessions.stores(connection.id);
    this.context = {
      connection,
      stores,
      clock: this.clock,
      shownCount: (nodeId) => this.shownCount(nodeId),
    };
    this.follow(stores);
  }

  private follow(stores: FleetStores): void {
    const { subscriptions } = this;
    const refreshKind = (kind: FleetNode['kind'], ids: readonly string[]): void => {
      for (const node of this.shown.ofKind(kind, new Set(ids))) this.changed.fire(node);
    };
    subscriptions.add(stores.access.onDidChange(() => this.changed.fire(undefined)));
    subscriptions.add(
      stores.organizations.onDidChange(({ list }) => {
        if (list) this.changed.fire(undefined);
      }),
    );
    subscriptions.add(
      stores.locations.onDidChange(({ parents }) => refreshKind('organization', parents)),
    );
    subscriptions.add(
      stores.machines.onDidChange(({ parents }) => refreshKind('location', parents)),
    );
    subscriptions.add(stores.parts.onDidChange(({ parents }) => refreshKind('machine', parents)));
    subscriptions.add(
      stores.fragments.onDidChange(({ parents }) => refreshKind('fragments', parents)),
    );
    subscriptions.add(stores.members.onDidChange(({ parents }) => refreshKind('members', parents)));
    subscriptions.add(stores.apiKeys.onDidChange(({ parents }) => refreshKind('apiKeys', parents)));
  }
}

function resourceId(node: FleetNode): string | undefined {
  return 'target' in node && node.target ? targetId(node.target) : undefined;
}
