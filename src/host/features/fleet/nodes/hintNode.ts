import type { FleetTarget } from '../../../../core/model/resourceTarget';
import { contextTokens, type TreeNode } from './treeNode';

/** What a list that is empty says, with the command that fills it. */
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

/** Stands where a list has nothing to show. */
export class HintNode implements TreeNode {
  readonly kind = 'hint';
  readonly id: string;
  readonly contextValue = contextTokens('hint');
  /** What the command of the hint acts on. */
  readonly target: FleetTarget | undefined;

  constructor(
    readonly parent: (TreeNode & { readonly target?: FleetTarget }) | undefined,
    readonly hint: Hint,
    /** Without the right to fill the list, the hint only says that it is empty. */
    readonly mayCreate = true,
  ) {
    this.id = `${parent?.id ?? ''}/hint/${hint}`;
    this.target = parent?.target;
  }
}
