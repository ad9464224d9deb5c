import type { FleetTarget } from '../../../../core/model/resourceTarget';
import { contextTokens, type TreeNode } from './treeNode';

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
     * False if the key has no right to fill the list, in which case the hint only states that the
     * list is empty.
     */
    readonly mayCreate = true,
  ) {
    this.id = `${parent?.id ?? ''}/hint/${hint}`;
    this.target = parent?.target;
  }
}
