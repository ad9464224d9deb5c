import { forEachBounded } from '../../../base/bounded';
import { Disposable, DisposableSet } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { toFleetError } from '../../../core/api/errors';
import type { FragmentUseIndex } from '../../../core/bulk/fragmentUseIndex';
import { isFiltering } from '../../../core/stores/organizationListing';
import type { LocationId, OrganizationId } from '../../../core/model/ids';
import type { Organization } from '../../../core/model/entities';
import { EVERYTHING } from '../../../core/model/permissions';
import { isConfigPending } from '../../../core/model/contractExtensions';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { FleetTarget, OrganizationTarget } from '../../../core/model/resourceTarget';
import type { Clock } from '../../../core/ports';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { isNotFound } from '../../../core/stores/resourceCache';
import type { SessionProvider } from '../../platform/sessionProvider';
import { type TreeSettings, isArranged, PLAIN } from './arrangement';
import { sumCounts, type FilterCounts, FleetListings } from './fleetListings';
import { ShownNodes, subscribeToStores } from './treeRefresh';
import { ErrorNode, HintNode, type LoadMoreNode } from './nodes/listNodes';
import { type BranchNode, type FleetNode, isBranch } from './nodes/fleetNode';
import { OrganizationNode } from './nodes/organizationNode';
import type { FleetContext, TreeNode } from './nodes/treeNode';
import { NodeFinder } from './nodeFinder';

/** Initial number of children to show in a long list, and number that each "Load more" adds. */
const PAGE_SIZE = 1_000;
const CONCURRENT_LISTS = 4;

/**
 * Provides the nodes in the fleet tree for the active connection. Reads nodes from the stores when
 * the user opens them, and reloads them when a store reports a change.
 */
export class FleetTree extends Disposable {
  private readonly changed = this.register(new Emitter<FleetNode | undefined>());
  /** Fires with the node whose children changed; undefined for the whole tree. */
  readonly onDidChange = this.changed.event;
  private readonly counted = this.register(new Emitter<FilterCounts>());
  /** Fires with the number of matches whenever the tree has been filtered. */
  readonly onDidCount = this.counted.event;
  private readonly organizationsRead = this.register(new Emitter<FleetContext>());
  /** Fires when the organizations and the key's permissions on them have been read. */
  readonly onDidReadOrganizations = this.organizationsRead.event;
  private readonly shown = new ShownNodes();
  private readonly pages = new Map<string, number>();
  private context: FleetContext | undefined;
  private arrangement = PLAIN;
  private readonly uses = new Map<OrganizationId, FragmentUseIndex>();
  /** Aborts reads for an arrangement that was replaced. */
  private reading = new AbortController();
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

  /** Applies a new arrangement and aborts reads for the previous one. */
  arrange(arrangement: TreeSettings): void {
    this.arrangement = arrangement;
    this.open();
    this.changed.fire(undefined);
  }

  /** Counts the filter matches in the fleet. */
  async count(
    filter: TreeSettings['filter'],
    signal: AbortSignal,
  ): Promise<FilterCounts | undefined> {
    return this.context?.listings.count(filter, signal);
  }

  /**
   * Returns an organization's registry items, or those of all organizations in the connection if no
   * organization is specified.
   */
  async registryItems(
    organization: OrganizationTarget | undefined,
    signal: AbortSignal,
  ): Promise<readonly RegistryItem[]> {
    const { context } = this;
    if (!context) return [];
    const { organizations, registry } = context.stores;
    if (organization) return registry.list(organization.organizationId, { signal });
    const lists: (readonly RegistryItem[])[] = [];
    await forEachBounded(await organizations.list({ signal }), CONCURRENT_LISTS, async ({ id }) => {
      lists.push(await registry.list(id, { signal }));
    });
    return lists.flat();
  }

  /** Returns a node's children, or the top level of the tree. A failure becomes an error node. */
  async listChildren(node?: FleetNode): Promise<readonly FleetNode[]> {
    const { context } = this;
    const children = await this.read(node);
    if (context === this.context) this.shown.replaceChildren(node, children);
    return children;
  }

  findParent(node: FleetNode): FleetNode | undefined {
    // Only branches create nodes, so the parent is also a branch.
    return node.parent && (this.shown.get(node.parent.id) ?? (node.parent as BranchNode));
  }

  /** Shows the next page of the list that ends with `node`. */
  loadMore(node: LoadMoreNode): void {
    this.pages.set(node.parent.id, node.shown + this.pageSize);
    this.refresh(node.parent);
  }

  /** Reloads a list that couldn't be read. */
  retry(node: ErrorNode): void {
    this.refresh(node.parent);
  }

  /** Reloads everything. */
  refreshAll(): void {
    this.context?.stores.refresh();
  }

  /**
   * Reloads the statuses of the visible machines: one call for each of their locations, and one for
   * each expanded machine with more than one part or a config that it hasn't applied yet. Also reloads lists that failed because the
   * service didn't respond, and lists of locations in which a machine was deleted.
   * @throws FleetError if any reload fails.
   */
  async pollStatus(isOpen: (node: FleetNode) => boolean): Promise<void> {
    const { context } = this;
    if (!context) return;
    const open = this.inView(isOpen);
    const missing = await context.stores.machines.reread(await this.listLocations(open, context));
    if (missing.length > 0) await this.rereadLocations(open, context);
    const machines = open.filter((node) => node.kind === 'machine');
    // The location list already contains the status of single-part machines, but not the progress
    // of their configs.
    const isPending = (node: FleetNode): boolean =>
      node.kind === 'part' &&
      node.part.configState !== undefined &&
      isConfigPending(node.part.configState);
    const outdated = machines.filter((node) => {
      const parts = this.shown.listChildren(node);
      return parts.length > 1 || parts.some(isPending);
    });
    await context.stores.parts.rereadLists(outdated.map(({ machine }) => machine.id));
    for (const node of this.shown.unanswered()) this.retry(node);
  }

  /** Redraws nodes whose text depends on the time, without making a call. */
  redrawOutdated(isOpen: (node: FleetNode) => boolean): void {
    const now = this.clock.now();
    const isOutdated = (node: FleetNode): boolean =>
      (node.kind === 'machine' || node.kind === 'part') && node.isOutdated(now);
    const outdated = this.inView(isOpen).filter((node) =>
      this.shown.listChildren(node).some(isOutdated),
    );
    if (!isArranged(this.arrangement)) for (const node of outdated) this.fire(node);
    else if (outdated.length > 0) this.changed.fire(undefined);
  }

  /** Returns the expanded nodes whose parents are all expanded. */
  private inView(isOpen: (node: FleetNode) => boolean): readonly FleetNode[] {
    const isShown = (node: FleetNode): boolean => {
      const parent = this.findParent(node);
      return isOpen(node) && (!parent || isShown(parent));
    };
    return this.shown.opened().filter(isShown);
  }

  private async rereadLocations(
    open: readonly FleetNode[],
    { stores }: FleetContext,
  ): Promise<void> {
    const organizations = open.filter((node) => node.kind === 'organization');
    try {
      await Promise.all(
        organizations.map(({ organization }) =>
          stores.locations.list(organization.id, { fresh: true }),
        ),
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // An organization was deleted with all its resources.
      stores.refresh();
    }
  }

  private async listLocations(
    open: readonly FleetNode[],
    { stores }: FleetContext,
  ): Promise<readonly LocationId[]> {
    if (!isArranged(this.arrangement)) {
      return open.flatMap((node) => (node.kind === 'location' ? [node.location.id] : []));
    }
    const organizations = open.filter((node) => node.kind === 'organization');
    const lists = await Promise.all(
      organizations.map(({ organization }) => stores.locations.list(organization.id)),
    );
    return [...new Set(lists.flat().map(({ id }) => id))];
  }

  /** Finds a resource's node anywhere in the tree; undefined if the tree doesn't show it. */
  async find(target: FleetTarget): Promise<FleetNode | undefined> {
    const { context } = this;
    if (target.connectionId !== context?.connection.id) return undefined;
    const finder = new NodeFinder({
      context,
      pageSize: this.pageSize,
      read: (node) => this.read(node),
      showUpTo: (nodeId, count) => {
        this.pages.set(nodeId, count);
        this.fire(this.shown.get(nodeId));
      },
    });
    return finder.find(target);
  }

  private async read(node: FleetNode | undefined): Promise<readonly FleetNode[]> {
    const { context } = this;
    if (!context || (node && !isBranch(node))) return [];
    try {
      return node ? await node.children() : await this.roots(context);
    } catch (error) {
      if (context !== this.context) return [];
      return [new ErrorNode(node, toFleetError(error))];
    }
  }

  private async roots(context: FleetContext): Promise<readonly FleetNode[]> {
    const organizations = await context.stores.organizations.list();
    if (organizations.length === 0) return [new HintNode(undefined, 'noOrganizations')];
    const shown = await this.matching(organizations, context);
    if (shown.length === 0) return [new HintNode(undefined, 'nothingMatches')];
    const granted = await context.stores.access.getPermissions(
      shown.map(({ id }) => ({ type: 'organization', id })),
    );
    if (context === this.context) this.organizationsRead.fire(context);
    return shown.map(
      (organization, index) =>
        new OrganizationNode(context, organization, granted[index] ?? EVERYTHING),
    );
  }

  /** Returns the organizations that contain filter matches. */
  private async matching(
    organizations: readonly Organization[],
    { listings, arrangement }: FleetContext,
  ): Promise<readonly Organization[]> {
    if (!isFiltering(arrangement.filter)) return organizations;
    const views = await listings.ofAll(organizations, arrangement.filter);
    if (listings === this.context?.listings) this.counted.fire(sumCounts(views));
    return organizations.filter((_, index) => {
      const view = views[index];
      if (!view) return false;
      const { machines, locations, fragments, datasets, registryItems } = view;
      const others = fragments.length + datasets.length + registryItems.length;
      return machines.length + locations.size + others > 0;
    });
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

  /** Restarts with the active connection. */
  private connect(): void {
    this.release(this.subscriptions);
    this.subscriptions = this.register(new DisposableSet());
    this.shown.clear();
    this.pages.clear();
    this.uses.clear();
    this.open();
    if (this.context) this.subscribe(this.context.stores);
  }

  /** Creates the context from which nodes subsequently read. */
  private open(): void {
    this.reading.abort();
    this.reading = new AbortController();
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
      arrangement: this.arrangement,
      listings: new FleetListings(stores, this.clock, this.uses, this.reading.signal),
      onUsesRead: () => this.changed.fire(undefined),
    };
  }

  private subscribe(stores: FleetStores): void {
    const { shown, changed } = this;
    const refresh = (kind: FleetNode['kind'], ids: readonly string[]): void => {
      for (const node of shown.ofKind(kind, new Set(ids))) changed.fire(node);
    };
    this.subscriptions.add(
      subscribeToStores(stores, {
        listings: () => this.context?.listings,
        refresh,
        // In a grouped or filtered tree, a changed machine can become visible anywhere.
        refreshListed: (kind, ids) => {
          if (!isArranged(this.arrangement)) refresh(kind, ids);
          else if (ids.length > 0) changed.fire(undefined);
        },
        refreshRoles: (ids) => {
          for (const node of shown.holdersOn(new Set(ids))) changed.fire(node);
        },
        refreshAll: () => changed.fire(undefined),
        refreshOpened: (kind) => {
          for (const node of shown.opened()) if (node.kind === kind) changed.fire(node);
        },
      }),
    );
  }
}
