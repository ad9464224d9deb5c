import type { FleetTarget } from '../../../../core/model/resourceTarget';
import { contextTokens, type TreeNode } from './treeNode';

/** Hint in an empty list, with the command that fills it. */
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
    /** Without the right to fill the list, the hint only says that it is empty. */
    readonly mayCreate = true,
  ) {
    this.id = `${parent?.id ?? ''}/hint/${hint}`;
    this.target = parent?.target;
  }
}
