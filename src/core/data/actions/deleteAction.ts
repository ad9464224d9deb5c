import { englishLocalizer } from '../../../base/localizer';
import { FleetError } from '../../api/errors';
import type { BinaryDataNow, BulkAction } from './bulkAction';

/** Deletes items permanently. */
export function deleteAction(store: BinaryDataNow, l10n = englishLocalizer): BulkAction {
  return {
    isSelective: false,
    isDoneWhenGone: true,
    steps: (items) => [{ items, run: (ids) => store().delete(ids) }],
    runOnFilter: async (filter, count) => {
      const deleted = await store().deleteAll(filter);
      if (deleted < count)
        throw new FleetError('conflict', l10n.t("Some items couldn't be deleted."));
    },
  };
}
