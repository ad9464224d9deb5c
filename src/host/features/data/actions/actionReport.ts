import * as vscode from 'vscode';
import type { ActionResult } from '../../../../core/data/actions/bulkAction';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import { toMilliseconds } from '../../../../core/model/micros';
import type { BulkReport } from '../../../platform/bulkReport';
import { itemName, type NamedItem } from '../items/itemViews';

/** Returns the report of an action. */
export function actionReport(title: string, result: ActionResult): BulkReport {
  const { done, unchanged, failed, notStarted, stopped, undo } = result;
  const details = [
    ...(stopped ? [vscode.l10n.t('The action stopped early: {0}', stopped.message)] : []),
    ...(undo === 'forgotten'
      ? [
          vscode.l10n.t(
            "This action can't be undone because it affects too many items to save their previous values.",
          ),
        ]
      : []),
  ];
  return {
    title,
    ...(details.length > 0 && { details: details.join('\n') }),
    ...{ done, unchanged, notStarted },
    failed: failed.map(({ item, error }) => ({ name: reportedName(item), reason: error.message })),
    skipped: [],
  };
}

/** Returns the name of an item for reports, including its ID because names are often not unique. */
export function reportedName(item: NamedItem & Pick<BinaryItem, 'at'>): string {
  const at = new Date(toMilliseconds(item.at)).toISOString();
  return `${toDisplayText(itemName(item))} (${at}, ${toDisplayText(item.id)})`;
}
