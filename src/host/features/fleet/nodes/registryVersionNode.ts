import { FleetError } from '../../../../core/api/errors';
import { getRights } from '../../../../core/model/permissions';
import type { RegistryVersion } from '../../../../core/model/registryItem';
import type {
  RegistryItemTarget,
  RegistryVersionTarget,
} from '../../../../core/model/resourceTarget';
import { HintNode } from './hintNode';
import { RegistryFileNode, type ListedArchive } from './registryFileNode';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

/** Node of a registry item's version with an archive for each platform. */
export class RegistryVersionNode implements TreeNode {
  readonly kind = 'registryVersion';
  readonly id: string;
  readonly contextValue: string;
  readonly target: RegistryVersionTarget;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    item: RegistryItemTarget,
    readonly version: RegistryVersion,
  ) {
    this.id = `${parent.id}/version/${version.version}`;
    this.contextValue = contextTokens(
      'registryVersion',
      item.itemType,
      ...getRights('registryItem', scope.granted),
    );
    this.target = { ...item, version: version.version };
  }

  async children(): Promise<readonly (RegistryFileNode | HintNode)[]> {
    const files = await this.archives();
    if (files.length === 0) return [new HintNode(this, 'noArchives', false)];
    return files
      .toSorted((one, other) => (one.platform < other.platform ? -1 : 1))
      .map((file) => new RegistryFileNode(this, this.scope, this.target, file));
  }

  /**
   * Returns the archives of the version. Their sizes and checksums require a separate call and a
   * permission that not every user has.
   */
  private async archives(): Promise<readonly ListedArchive[]> {
    const { organizationId, itemType, name, version } = this.target;
    const filter = { name, version, ...(itemType !== 'unknown' && { type: itemType }) };
    try {
      return await this.scope.context.stores.registry.packages(organizationId, filter);
    } catch (error) {
      if (!(error instanceof FleetError) || error.kind !== 'permission') throw error;
      return this.version.files.map(({ platform, uploadedAt }) => ({
        platform,
        createdOn: uploadedAt,
        sizeBytes: undefined,
        checksum: '',
      }));
    }
  }
}
