import type { PackageFileInfo } from '../../../../core/model/packageFile';
import { rightsOf } from '../../../../core/model/permissions';
import type { RegistryVersionTarget } from '../../../../core/model/resourceTarget';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** What is shown of an archive. */
export type ListedArchive = Pick<
  PackageFileInfo,
  'platform' | 'createdOn' | 'sizeBytes' | 'checksum'
>;

/** The archive of a version for a platform. */
export class RegistryFileNode implements TreeNode {
  readonly kind = 'registryFile';
  readonly id: string;
  readonly contextValue: string;
  /** Its version, of which it is one archive. */
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
      ...rightsOf('registryItem', scope.granted),
    );
    this.target = { ...version, platform: file.platform };
  }
}
