import { FleetError } from '../../../../core/api/errors';
import type { Dataset } from '../../../../core/model/dataset';
import { getRights, type Granted, hasRight } from '../../../../core/model/permissions';
import type { DatasetTarget, OrganizationTarget } from '../../../../core/model/resourceTarget';
import { HintNode, type LoadMoreNode, pagedNodes } from './listNodes';
import { contextTokens, type OrganizationScope, startsOpen, type TreeNode } from './treeNode';
import { datasetFilter } from '../../../../core/model/captureFilter';
import type { BinaryTotal } from '../../../../core/stores/binaryDataStore';

/** Node with an organization's datasets. */
export class DatasetsNode implements TreeNode {
  readonly kind = 'datasets';
  readonly id: string;
  readonly contextValue: string;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    /** Target for the node's menu, which creates datasets in the organization. */
    readonly target: OrganizationTarget,
    /** Datasets that match a filter; all datasets if absent. */
    private readonly left?: readonly Dataset[],
  ) {
    this.id = `${scope.nodeId}/datasets`;
    this.contextValue = contextTokens('datasets', ...getRights('dataset', scope.granted));
  }

  /** True if it's initially expanded to show a filter's matches. */
  get startsOpen(): boolean {
    return startsOpen(this.scope);
  }

  async children(): Promise<readonly (DatasetNode | HintNode | LoadMoreNode)[]> {
    const datasets = this.left ?? (await this.read());
    if (!datasets) return [new HintNode(this, 'datasetsHidden')];
    if (datasets.length === 0) {
      const canCreate = hasRight('dataset', this.scope.granted, 'administer');
      return [new HintNode(this, 'noDatasets', canCreate)];
    }
    return pagedNodes(
      this,
      this.scope.context,
      datasets,
      (dataset) => new DatasetNode(this, this.scope, dataset),
    );
  }

  /**
   * Returns the datasets; undefined if the key can't list them, which requires a role on the
   * organization itself.
   */
  private async read(): Promise<readonly Dataset[] | undefined> {
    const { context, organizationId } = this.scope;
    try {
      return await context.stores.datasets.list(organizationId);
    } catch (error) {
      if (error instanceof FleetError && error.kind === 'permission') return undefined;
      throw error;
    }
  }
}

/** Dataset node; a click shows its items. */
export class DatasetNode implements TreeNode {
  readonly kind = 'dataset';
  readonly id: string;
  readonly contextValue: string;
  readonly target: DatasetTarget;
  readonly granted: Granted;

  constructor(
    readonly parent: TreeNode,
    private readonly scope: OrganizationScope,
    readonly dataset: Dataset,
  ) {
    this.id = `${scope.nodeId}/dataset/${dataset.id}`;
    this.granted = scope.granted;
    this.contextValue = contextTokens('dataset', ...getRights('dataset', scope.granted));
    this.target = {
      kind: 'dataset',
      connectionId: scope.context.connection.id,
      organizationId: dataset.organizationId,
      datasetId: dataset.id,
      name: dataset.name,
    };
  }

  /**
   * Returns the totals of the dataset's contents for a tooltip, with one call; undefined if they
   * are not available.
   */
  async contents(): Promise<BinaryTotal | undefined> {
    const { organizationId, datasetId } = this.target;
    try {
      return await this.scope.context.stores.binaryData.count(
        datasetFilter(organizationId, datasetId),
      );
    } catch {
      // The tooltip is shown without the totals.
      return undefined;
    }
  }
}
