import type { Clock } from '../../../../core/ports';
import type { FilteredListing } from '../../../../core/stores/organizationListing';
import type { OrganizationId } from '../../../../core/model/ids';
import type { Connection } from '../../../../core/model/connection';
import type { Location, OrganizationIdentity } from '../../../../core/model/entities';
import { type Granted, hasRight, type RoleScope } from '../../../../core/model/permissions';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { TreeSettings } from '../arrangement';
import type { FleetListings } from '../fleetListings';

/** Common properties of all nodes in the fleet tree. Nodes contain data; rendering is separate. */
export interface TreeNode {
  /** ID that is stable across refreshes and reloads, and unique per connection. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  /** Sorted tokens that `when` clauses of menus match. */
  readonly contextValue: string;
}

/** Context from which nodes read their children. */
export interface FleetContext {
  readonly connection: Connection;
  readonly stores: FleetStores;
  readonly clock: Clock;
  /** Returns the current number of displayed children in a long list. */
  readonly shownCount: (nodeId: string) => number;
  readonly arrangement: TreeSettings;
  readonly listings: FleetListings;
  /** Called when the fragments that machines use have been read. */
  readonly onUsesRead: () => void;
}

/** A node's organization. Nodes refer to its data instead of its node to avoid circular imports. */
export interface OrganizationScope {
  readonly context: FleetContext;
  readonly organizationId: OrganizationId;
  /** The key's permissions on the organization itself. */
  readonly granted: Granted;
  /**
   * The key's permissions on the organization that owns the nodes; queries read the readings of
   * that organization. Absent unless that organization shares the nodes with this one.
   */
  readonly ownerGranted?: Granted | undefined;
  /** Prefix for the IDs of all nodes in the organization. */
  readonly nodeId: string;
  /** A filter's matches; absent if there is no filter. */
  readonly left?: FilteredListing | undefined;
}

/** Maximum number of filter matches at which nodes are still initially expanded. */
const MAX_OPENED = 500;

/** Returns true if the filter matches in an organization are initially expanded. */
export function startsOpen({ left }: OrganizationScope): boolean {
  return left !== undefined && left.machines.length <= MAX_OPENED;
}

/**
 * Returns the token for a node whose readings the key can view but not query, because queries read
 * all of an organization's readings. Returns false for all other nodes.
 */
export function noQueriesToken(
  { granted, ownerGranted = granted }: OrganizationScope,
  own: Granted,
): string | false {
  const right = 'readData';
  return hasRight('machine', own, right) && !hasRight('organization', ownerGranted, right)
    ? 'noQueries'
    : false;
}

/** Returns the owner of locations that another organization shares with this one, if any. */
export function findOtherOwner(
  locations: readonly Location[],
  organization: OrganizationId,
): OrganizationIdentity | undefined {
  return locations.find(({ owner }) => owner !== undefined && owner.id !== organization)?.owner;
}

/** Converts an organization to a permission request's scope. */
export function toOrganizationScope({ id }: OrganizationIdentity): RoleScope {
  return { type: 'organization', id };
}

/** Formats a `contextValue` as sorted tokens, which `when` clauses can match individually. */
export function contextTokens(...tokens: readonly (string | false)[]): string {
  return tokens
    .filter((token) => token !== false)
    .toSorted()
    .join(';');
}
