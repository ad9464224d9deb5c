import { englishLocalizer, type Localizer } from '../../../base/localizer';
import { FleetError, isCanceled } from '../../api/errors';
import { type BinaryItem, getPlacement } from '../../model/binaryItem';
import type { BinaryDataStore } from '../../stores/binaryDataStore';
import type { BulkTarget, FailedItem } from './bulkAction';
import { workInBatches } from '../../bulk/bulkRun';

const PAGE = 5_000;
/** Number of items to read by ID in one call. */
const READ_AT_ONCE = 1_000;
const CONCURRENT_READS = 2;

/** Page of items in an action's target. */
export interface TargetPage {
  readonly items: readonly BinaryItem[];
  /** Items that can't be read. */
  readonly failed: readonly FailedItem[];
}

/**
 * Yields all items in a target, page by page. Lists a filter's matches newest first, so that newly
 * captured items are not included. @param fresh true to read individual items again. Throws
 * `FleetError`.
 */
export async function* readTargetPages(
  store: BinaryDataStore,
  target: BulkTarget,
  fresh: boolean,
  signal: AbortSignal,
  l10n = englishLocalizer,
): AsyncGenerator<TargetPage> {
  if (target.kind === 'filter') {
    yield* filterPages(store, target, signal);
    return;
  }
  for (let start = 0; start < target.items.length && !signal.aborted; start += PAGE) {
    const items = target.items.slice(start, start + PAGE);
    yield fresh ? await readAgain(store, items, signal, l10n) : { items, failed: [] };
  }
}

async function* filterPages(
  store: BinaryDataStore,
  { filter, placement }: Extract<BulkTarget, { kind: 'filter' }>,
  signal: AbortSignal,
): AsyncGenerator<TargetPage> {
  let after: string | undefined;
  while (!signal.aborted) {
    const request = { filter, order: 'newestFirst', limit: PAGE, after } as const;
    const page = await store.page(request, signal);
    if (page.items.length === 0) return;
    const items = page.items.filter(
      ({ mimeType }) => placement === undefined || getPlacement(mimeType) === placement,
    );
    yield { items, failed: [] };
    const isOnly = after === undefined && page.items.length >= page.total.count;
    if (isOnly || page.last === '' || page.last === after) return;
    after = page.last;
  }
}

async function readAgain(
  store: BinaryDataStore,
  items: readonly BinaryItem[],
  signal: AbortSignal,
  l10n: Localizer,
): Promise<TargetPage> {
  const read = new Map<BinaryItem['id'], BinaryItem>();
  const outcomes = await workInBatches(
    items,
    async (batch) => {
      const ids = batch.map(({ id }) => id);
      for (const item of await store.get(ids, signal)) read.set(item.id, item);
    },
    { size: READ_AT_ONCE, limit: CONCURRENT_READS, signal },
  );
  return {
    items: items.flatMap(({ id }) => read.get(id) ?? []),
    failed: outcomes.flatMap((outcome) => {
      const { item } = outcome;
      if (outcome.state === 'failed') {
        return isCanceled(outcome.error) ? [] : [{ item, error: outcome.error }];
      }
      // Some services omit deleted items from the response, and others reject the call.
      return outcome.state === 'done' && !read.has(item.id)
        ? [{ item, error: deletedError(l10n) }]
        : [];
    }),
  };
}

function deletedError(l10n: Localizer): FleetError {
  return new FleetError('notFound', l10n.t('The item was deleted. Refresh the list.'));
}
