import type { Dataset } from '../../../../core/model/dataset';
import { type Granted, getRights } from '../../../../core/model/permissions';
import type { DatasetTarget } from '../../../../core/model/resourceTarget';
import { datasetFilter } from '../../../../core/model/captureFilter';
import type { BinaryTotal } from '../../../../core/stores/binaryDataStore';
import { contextTokens, type OrganizationScope, type TreeNode } from './treeNode';

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
