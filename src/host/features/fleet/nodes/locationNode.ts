import { displayName } from '../../../../core/model/displayText';
import type { Location, Machine, OrganizationIdentity } from '../../../../core/model/entities';
import {
  coversInside,
  type Granted,
  hasRight,
  getRights,
  type RoleScope,
} from '../../../../core/model/permissions';
import type { LocationTarget } from '../../../../core/model/resourceTarget';
import { HintNode, LoadMoreNode } from './listNodes';
import { MachineContextValues, MachineNode } from './machineNode';
import {
  contextTokens,
  findOtherOwner,
  noQueriesToken,
  type OrganizationScope,
  startsOpen,
  toOrganizationScope,
  type TreeNode,
} from './treeNode';

/**
 * A location's sharing: either its organization shares the location, or another organization shares
 * the location with this one.
 */
export type LocationSharing =
  | { readonly kind: 'own'; readonly readers: number }
  | { readonly kind: 'foreign'; readonly owner: OrganizationIdentity };

/** Location node, with its nested locations followed by its machines, page by page. */
export class LocationNode implements TreeNode {
  readonly kind = 'location';
  readonly id: string;
  readonly contextValue: string;
  readonly target: LocationTarget;
  /** The location's sharing; undefined if it isn't shared. */
  readonly sharing: LocationSharing | undefined;
  /** The machines' nodes, in the order of the list. */
  private machineNodes: readonly MachineNode[] = [];

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly location: Location,
    readonly granted: Granted,
  ) {
    this.sharing = getSharing(location);
    this.contextValue = contextTokens(
      'location',
      ...getRights('location', granted),
      noQueriesToken(scope, granted),
      this.sharing?.kind === 'foreign' && 'foreign',
      this.sharing?.kind === 'own' && 'shared',
    );
    // The ID excludes the parents, so that the node stays expanded after a move. It includes the
    // organization, because a shared location occurs in more than one organization.
    this.id = `${scope.nodeId}/location/${location.id}`;
    this.target = {
      kind: 'location',
      connectionId: scope.context.connection.id,
      organizationId: location.organizationId,
      locationId: location.id,
      name: location.name,
    };
  }

  /** True if it's initially expanded to show a filter's matches. */
  get startsOpen(): boolean {
    return startsOpen(this.scope);
  }

  /**
   * Returns the names of the organizations that the location is shared with, or their IDs if the
   * service doesn't provide names.
   */
  async readerNames(): Promise<readonly string[]> {
    const { sharing, location } = this;
    if (sharing?.kind !== 'own') return [];
    try {
      const all = await this.scope.context.stores.locations.organizationsWithAccess(location.id);
      return all.filter(({ id }) => id !== location.organizationId).map(displayName);
    } catch {
      // The tooltip shows IDs instead of names.
      return location.sharedWith;
    }
  }

  /**
   * Returns the nodes of machines. Reuses the nodes of unchanged machines, so that loading another
   * page creates only the nodes on that page.
   */
  private listMachineNodes(
    page: readonly Machine[],
    granted: readonly Granted[] | undefined,
    now: Date,
  ): readonly MachineNode[] {
    const known = this.machineNodes;
    const values = new MachineContextValues(this.scope);
    this.machineNodes = page.map((machine, index) => {
      const own = granted?.[index] ?? this.granted;
      const node = known[index];
      const isReused = node?.machine === machine && node.granted === own && !node.isOutdated(now);
      return isReused ? node : new MachineNode(this, this.scope, machine, own, now, values);
    });
    return this.machineNodes;
  }

  /**
   * Returns the permissions on individual machines; undefined if they match the permissions on the
   * location.
   */
  private async grantedOn(page: readonly Machine[]): Promise<readonly Granted[] | undefined> {
    if (coversInside({ type: 'location', id: this.location.id }, this.granted)) return undefined;
    return this.scope.context.stores.access.getPermissions(
      page.map(({ id }) => ({ type: 'robot', id })),
    );
  }

  async children(): Promise<readonly (LocationNode | MachineNode | HintNode | LoadMoreNode)[]> {
    const { stores, shownCount, clock } = this.scope.context;
    const { left } = this.scope;
    const [all, machines] = await Promise.all([
      stores.locations.list(this.location.organizationId),
      left ? (left.machinesIn.get(this.location.id) ?? []) : stores.machines.list(this.location.id),
    ]);
    const here: RoleScope = { type: 'location', id: this.location.id };
    const shown = shownCount(this.id);
    const page = machines.slice(0, shown);
    const [nested, granted] = await Promise.all([
      childLocations(this, this.scope, { all, below: here, granted: this.granted }),
      this.grantedOn(page),
    ]);
    const nodes = this.listMachineNodes(page, granted, clock.now());
    if (nested.length + nodes.length === 0) {
      return [new HintNode(this, 'noMachines', hasRight('machine', this.granted, 'administer'))];
    }
    const more = machines.length > shown ? [new LoadMoreNode(this, shown, machines.length)] : [];
    return [...nested, ...nodes, ...more];
  }
}

function getSharing({ owner, organizationId, sharedWith }: Location): LocationSharing | undefined {
  if (owner && owner.id !== organizationId) return { kind: 'foreign', owner };
  return sharedWith.length > 0 ? { kind: 'own', readers: sharedWith.length } : undefined;
}

/** Parent of child locations and the key's permissions on it. */
interface ChildQuery {
  readonly all: readonly Location[];
  /** Parent of the locations: an organization for its top level, or a location. */
  readonly below: RoleScope;
  readonly granted: Granted;
}

/**
 * Returns the direct child locations of an organization or location. The top level includes
 * locations whose parent isn't in the list, because shared locations are listed without their
 * parents.
 */
export async function childLocations(
  parent: TreeNode,
  scope: OrganizationScope,
  { all, below, granted }: ChildQuery,
): Promise<readonly LocationNode[]> {
  const parentId = below.type === 'organization' ? undefined : below.id;
  const known = new Set(all.map(({ id }) => id));
  const children = all.filter((location) => {
    if (scope.left?.locations.has(location.id) === false) return false;
    const visibleParent =
      location.parentId !== undefined && known.has(location.parentId)
        ? location.parentId
        : undefined;
    return visibleParent === parentId;
  });
  const rights = await grantedOn(children, scope, below, granted);
  return children.map((location) => {
    const { onLocation = granted, onOwner } = rights.get(location) ?? {};
    const inside = onOwner ? { ...scope, ownerGranted: onOwner } : scope;
    return new LocationNode(parent, inside, location, onLocation);
  });
}

/** Permissions on a location, and on its owner if another organization shares it. */
interface LocationRights {
  readonly onLocation: Granted | undefined;
  readonly onOwner?: Granted | undefined;
}

/**
 * Returns the permissions on child locations. Permissions on an organization don't apply to
 * locations that another organization shares with it.
 */
async function grantedOn(
  children: readonly Location[],
  { context, organizationId }: OrganizationScope,
  below: RoleScope,
  granted: Granted,
): Promise<ReadonlyMap<Location, LocationRights>> {
  const { access } = context.stores;
  const toScope = ({ id }: Location): RoleScope => ({ type: 'location', id });
  const shared = children.flatMap((location) => {
    const owner =
      below.type === 'organization' ? findOtherOwner([location], organizationId) : undefined;
    return owner ? [{ location, owner }] : [];
  });
  const foreign = new Set(shared.map(({ location }) => location));
  const own = children.filter((location) => !foreign.has(location));
  const [onShared, onOwn] = await Promise.all([
    access.getPermissions(
      shared.flatMap(({ location, owner }) => [toScope(location), toOrganizationScope(owner)]),
    ),
    access.getPermissionsInside(below, granted, own.map(toScope)),
  ]);
  return new Map([
    ...shared.map(({ location }, index) => {
      const [onLocation, onOwner] = onShared.slice(2 * index);
      return [location, { onLocation, onOwner }] as const;
    }),
    ...own.map((location, index) => [location, { onLocation: onOwn[index] }] as const),
  ]);
}
