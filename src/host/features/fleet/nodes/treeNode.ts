import type { Clock } from '../../../../core/ports';
import type { OrganizationId } from '../../../../core/model/ids';
import type { Connection } from '../../../../core/model/connection';
import type { Granted } from '../../../../core/model/permissions';
import type { FleetStores } from '../../../../core/stores/fleetStores';

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
}

/** The organization a node is in. Nodes know it by its data, not by its node: no import circles. */
export interface OrganizationScope {
  readonly context: FleetContext;
  readonly organizationId: OrganizationId;
  /** What the key may do on the organization itself. */
  readonly granted: Granted;
  /** Begins the ids of all nodes inside. */
  readonly nodeId: string;
}

/** Makes a `contextValue`: tokens in order, so that a `when` clause can match each. */
export function contextTokens(...tokens: readonly (string | false)[]): string {
  return tokens
    .filter((token) => token !== false)
    .toSorted()
    .join(';');
}
