import * as vscode from 'vscode';
import { formatBytes, formatNumber } from '../../platform/quantityText';
import type { DatasetNode } from './nodes/datasetNode';

/**
 * Formats the contents of a dataset, such as `1,204 items, 96 MB`: one phrase, or none if unknown.
 */
export async function datasetContents(node: DatasetNode): Promise<readonly string[]> {
  const contents = await node.contents();
  if (!contents) return [];
  const { count, bytes } = contents;
  if (count === 0) return [vscode.l10n.t('empty')];
  return [
    count === 1
      ? vscode.l10n.t('1 item, {0}', formatBytes(bytes))
      : vscode.l10n.t('{0} items, {1}', formatNumber(count), formatBytes(bytes)),
  ];
}
