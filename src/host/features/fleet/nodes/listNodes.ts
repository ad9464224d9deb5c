import type { FleetTarget } from '../../../../core/model/resourceTarget';
import { contextTokens, type FleetContext, type TreeNode } from './treeNode';
import type { FleetError } from '../../../../core/api/errors';

/** Type of hint in an empty list, which determines the command that fills the list. */
export type Hint =
  | 'noOrganizations'
  | 'noLocations'
  | 'noMachines'
  | 'noneInGroup'
  | 'nothingMatches'
  | 'noParts'
  | 'noFragments'
  | 'noDatasets'
  | 'datasetsHidden'
  | 'noModules'
  | 'noOtherItems'
  | 'noItemMatches'
  | 'noVersions'
  | 'noArchives'
  | 'noMembers'
  | 'membersHidden'
  | 'noRoles'
  | 'noApiKeys'
  | 'apiKeysHidden';

/** Placeholder for an empty list. */
export class HintNode implements TreeNode {
  readonly kind = 'hint';
  readonly id: string;
  readonly contextValue = contextTokens('hint');
  /** Target of the hint's command. */
  readonly target: FleetTarget | undefined;

  constructor(
    readonly parent: (TreeNode & { readonly target?: FleetTarget }) | undefined,
    readonly hint: Hint,
    /**
     * False if the key has no permission to fill the list, in which case the hint only states that
     * the list is empty.
     */
    readonly canCreate = true,
  ) {
    this.id = `${parent?.id ?? ''}/hint/${hint}`;
    this.target = parent?.target;
  }
}

/** Node that replaces a list that couldn't be read. Offers a recovery action. */
export class ErrorNode implements TreeNode {
  readonly kind = 'error';
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly parent: TreeNode | undefined,
    readonly error: FleetError,
  ) {
    this.id = `${parent?.id ?? ''}/error`;
    this.contextValue = contextTokens('error', error.action ?? 'retry');
  }
}

/**
 * Last node in a long list, used for showing the list's next page. The rest of the list is already
 * loaded.
 */
export class LoadMoreNode implements TreeNode {
  readonly kind = 'loadMore';
  readonly id: string;
  readonly contextValue = contextTokens('loadMore');

  constructor(
    readonly parent: TreeNode,
    readonly shown: number,
    readonly total: number,
  ) {
    this.id = `${parent.id}/loadMore`;
  }
}

/** Returns a long list's displayed children, followed by a "Load more" node if there are more. */
export function pagedNodes<T, N extends TreeNode>(
  parent: TreeNode,
  { shownCount }: FleetContext,
  items: readonly T[],
  toNode: (item: T) => N,
): readonly (N | LoadMoreNode)[] {
  const shown = shownCount(parent.id);
  const nodes = items.slice(0, shown).map(toNode);
  return items.length <= shown ? nodes : [...nodes, new LoadMoreNode(parent, shown, items.length)];
}
