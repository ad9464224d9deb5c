import { getRights, type Granted, hasRight } from '../../../../core/model/permissions';
import {
  isFilteringRegistry,
  matchesRegistryFilter,
  type ModuleModel,
  type RegistryFilter,
  type RegistryItem,
  type RegistryVersion,
} from '../../../../core/model/registryItem';
import {
  type OrganizationTarget,
  registryItemTarget,
  type RegistryItemTarget,
  type RegistryVersionTarget,
} from '../../../../core/model/resourceTarget';
import { HintNode, type LoadMoreNode, pagedNodes } from './listNodes';
import { contextTokens, type OrganizationScope, startsOpen, type TreeNode } from './treeNode';
import { FleetError } from '../../../../core/api/errors';
import type { PackageFileInfo } from '../../../../core/model/registryPackage';

/** Node with an organization's modules, or with its other registry items. */
export class RegistryFolderNode implements TreeNode {
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly kind: 'modules' | 'otherItems',
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    /** Target for the node's menu, which creates items in the organization. */
    readonly target: OrganizationTarget,
    /** Items that match the fleet filter; all items if absent. */
    private readonly left?: readonly RegistryItem[],
  ) {
    this.id = `${scope.nodeId}/${kind}`;
    this.contextValue = contextTokens(kind, ...getRights('registryItem', scope.granted));
  }

  /** True if it's initially expanded to show a filter's matches. */
  get startsOpen(): boolean {
    return startsOpen(this.scope);
  }

  /** Registry filter; undefined if all items are shown. */
  get filter(): RegistryFilter | undefined {
    const { registry } = this.scope.context.arrangement;
    return isFilteringRegistry(registry) ? registry : undefined;
  }

  async children(): Promise<readonly (RegistryItemNode | HintNode | LoadMoreNode)[]> {
    const { context, granted } = this.scope;
    const all = (this.left ?? (await this.read())).filter((item) => isIn(this.kind, item));
    const items = all.filter((item) => matchesRegistryFilter(item, context.arrangement.registry));
    if (items.length > 0) return pagedNodes(this, context, items, (item) => this.createNode(item));
    if (all.length > 0) return [new HintNode(this, 'noItemMatches')];
    const canCreate = hasRight('registryItem', granted, 'administer');
    return [new HintNode(this, this.kind === 'modules' ? 'noModules' : 'noOtherItems', canCreate)];
  }

  private createNode(item: RegistryItem): RegistryItemNode {
    return new RegistryItemNode(this, this.scope, item);
  }

  private read(): Promise<readonly RegistryItem[]> {
    const { context, organizationId } = this.scope;
    return context.stores.registry.list(organizationId);
  }
}

/** Returns true if an item belongs to this folder. */
export function isIn(folder: RegistryFolderNode['kind'], { type }: RegistryItem): boolean {
  return (type === 'module') === (folder === 'modules');
}

/** Node for a module, model, training script, or other package; a click opens its page. */
export class RegistryItemNode implements TreeNode {
  readonly kind = 'registryItem';
  readonly id: string;
  readonly contextValue: string;
  readonly target: RegistryItemTarget;
  readonly granted: Granted;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly item: RegistryItem,
  ) {
    this.id = `${scope.nodeId}/registryItem/${item.id}`;
    this.granted = scope.granted;
    this.contextValue = contextTokens(
      'registryItem',
      item.type,
      item.visibility,
      item.status === 'inDevelopment' && 'inDevelopment',
      item.versions.length > 0 && 'versioned',
      ...getRights('registryItem', scope.granted),
    );
    this.target = registryItemTarget(scope.context.connection.id, item);
  }

  /** Returns a module's models, followed by its versions, newest first. */
  async children(): Promise<
    readonly (ModuleModelsNode | RegistryVersionNode | HintNode | LoadMoreNode)[]
  > {
    const item = await this.whole();
    const models = item.models.length > 0 ? [new ModuleModelsNode(this, this.scope, item)] : [];
    if (item.versions.length === 0) return [...models, new HintNode(this, 'noVersions', false)];
    const versions = pagedNodes(
      this,
      this.scope.context,
      item.versions,
      (version) => new RegistryVersionNode(this, this.scope, this.target, version),
    );
    return [...models, ...versions];
  }

  /** Returns the complete item, including the fields that a brief list omits. */
  private whole(): RegistryItem | Promise<RegistryItem> {
    return this.item.isBrief ? this.scope.context.stores.registry.get(this.item.id) : this.item;
  }
}

/** Node for a registry item's version with an archive for each platform. */
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
   * Returns the version's archives. Their sizes and checksums require a separate call and a
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

/** Displayed fields of an archive. */
type ListedArchive = Pick<PackageFileInfo, 'platform' | 'createdOn' | 'sizeBytes' | 'checksum'>;

/** Node for a version's archive for one platform. */
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

/** Node with a module's models. */
export class ModuleModelsNode implements TreeNode {
  readonly kind = 'moduleModels';
  readonly id: string;
  readonly contextValue = contextTokens('moduleModels');

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly item: RegistryItem,
  ) {
    this.id = `${parent.id}/models`;
  }

  children(): Promise<readonly (ModuleModelNode | LoadMoreNode)[]> {
    const numbered = this.item.models.map((model, index) => ({ model, index }));
    const nodes = pagedNodes(
      this,
      this.scope.context,
      numbered,
      ({ model, index }) => new ModuleModelNode(this, model, index),
    );
    return Promise.resolve(nodes);
  }
}

/** Node for a resource model that a module implements. */
export class ModuleModelNode implements TreeNode {
  readonly kind = 'moduleModel';
  readonly id: string;
  readonly contextValue = contextTokens('moduleModel');

  constructor(
    readonly parent: TreeNode,
    readonly model: ModuleModel,
    /** Index of the model, because a module can list the same model twice, for two APIs. */
    index: number,
  ) {
    this.id = `${parent.id}/${index}/${model.model}`;
  }
}
