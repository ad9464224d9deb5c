import { forEachBounded } from '../../../../base/bounded';
import { toFleetError } from '../../../../core/api/errors';
import type { BinaryDataId } from '../../../../core/model/ids';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { BrowsableTarget } from '../../../../manifest/commandArguments';
import type { ReviewState } from './storedReviews';

const CONCURRENT = 6;

interface Stores {
  readonly binaryData: Pick<FleetStores['binaryData'], 'get'>;
  readonly datasets: Pick<FleetStores['datasets'], 'get'>;
}

/**
 * Returns a stored review without the images that have since been deleted; undefined if no images
 * are left or its panel's dataset was deleted.
 * @throws FleetError if the service can't be reached, for example because it isn't running.
 */
export async function pruneReview(
  stores: Stores,
  state: ReviewState,
  target: BrowsableTarget,
): Promise<ReviewState | undefined> {
  const hasDataset =
    target.kind !== 'dataset' || (await exists(stores.datasets.get(target.datasetId)));
  if (!hasDataset) return undefined;
  const existing = await findExisting(
    stores,
    state.items.map(({ id }) => id),
  );
  if (existing.size === 0) return undefined;
  if (existing.size === state.items.length) return state;
  const { proposals } = state;
  return {
    ...state,
    proposals: { ...proposals, images: proposals.images.filter(({ id }) => existing.has(id)) },
    items: state.items.filter(({ id }) => existing.has(id)),
  };
}

async function findExisting(
  { binaryData }: Stores,
  ids: readonly BinaryDataId[],
): Promise<ReadonlySet<string>> {
  // In most cases, all of the images exist.
  if (await exists(binaryData.get(ids))) return new Set(ids);
  const existing = new Set<string>();
  await forEachBounded(ids, CONCURRENT, async (id) => {
    if (await exists(binaryData.get([id]))) existing.add(id);
  });
  return existing;
}

async function exists(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return true;
  } catch (error) {
    if (toFleetError(error).kind === 'notFound') return false;
    throw error;
  }
}
