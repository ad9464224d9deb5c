import type { Clock } from '../../../../core/ports';
import type { FilteredListing } from '../../../../core/listing/filterListing';
import type { OrganizationId } from '../../../../core/model/ids';
import type { Connection } from '../../../../core/model/connection';
import type { Granted } from '../../../../core/model/permissions';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { Arrangement } from '../arrangement';
import type { FleetListings } from '../fleetListings';

/** What every node of the fleet tree has. Nodes carry data; rendering is elsewhere. */
export interface TreeNode {
  /** Stable across refreshes and reloads, and scoped to the connection. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  /** Sorted tokens that `when` clauses of menus match. */
  readonly contextValue: string;
}

/** What nodes read their children from. */
export interface FleetContext {
  readonly connection: Connection;
  readonly stores: FleetStores;
  readonly clock: Clock;
  /** How many children of a long list a node shows so far. */
  readonly shownCount: (nodeId: string) => number;
  readonly arrangement: Arrangement;
  readonly listings: FleetListings;
  /** Called when it has become known which fragments machines use. */
  readonly onUsesRead: () => void;
}

/** The organization a node is in. Nodes know it by its data, not by its node: no import circles. */
export interface OrganizationScope {
  readonly context: FleetContext;
  readonly organizationId: OrganizationId;
  /** What the key may do on the organization itself. */
  readonly granted: Granted;
  /** Begins the ids of all nodes inside. */
  readonly nodeId: string;
  /** What a filter leaves; absent without one. */
  readonly left?: FilteredListing | undefined;
}

/** More matches than these a person opens one by one. */
const MOST_OPENED = 500;

/** Whether what a filter has left in an organization is shown at once. */
export function startsOpen({ left }: OrganizationScope): boolean {
  return left !== undefined && left.machines.length <= MOST_OPENED;
}

/** Makes a `contextValue`: tokens in order, so that a `when` clause can match each. */
export function contextTokens(...tokens: readonly (string | false)[]): string {
  return tokens
    .filter((token) => token !== false)
    .toSorted()
    .join(';');
}
