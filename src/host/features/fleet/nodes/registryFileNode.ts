import type { PackageFileInfo } from '../../../../core/model/packageFile';
import { getRights } from '../../../../core/model/permissions';
import type { RegistryVersionTarget } from '../../../../core/model/resourceTarget';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** Displayed fields of an archive. */
export type ListedArchive = Pick<
  PackageFileInfo,
  'platform' | 'createdOn' | 'sizeBytes' | 'checksum'
>;

/** Node of a version's archive for a platform. */
export class RegistryFileNode implements TreeNode {
  readonly kind = 'registryFile';
  readonly id: string;
  readonly contextValue: string;
  /** Target of the archive's version. */
  readonly target: RegistryVersionTarget;

  constructor(
    readonly parent: TreeNode,
    scope: OrganizationScope,
    version: RegistryVersionTarget,
    readonly file: ListedArchive,
  ) {
    this.id = `${parent.id}/file/${file.platform}`;
    this.contextValue = contextTokens(
      'registryFile',
      version.itemType,
      ...getRights('registryItem', scope.granted),
    );
    this.target = { ...version, platform: file.platform };
  }
}
