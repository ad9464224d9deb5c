import type { BinaryDataId } from '../../../../core/model/ids';
import { binaryDataId } from '../../../../core/model/ids';
import type { HostHandlers } from '../../../../shared/protocol';
import type { itemMessages } from '../../../../shared/data/items';
import type { DataSession } from '../dataSession';
import { datasetNamesOf, itemView } from './itemViews';

/** The host's answers about items and their contents. */
export function itemHandlers(session: DataSession): HostHandlers<typeof itemMessages> {
  const read = async (id: BinaryDataId, signal: AbortSignal): Promise<ArrayBuffer> => {
    const [content] = await session.stores.binaryData.contents([id], signal);
    const bytes = content?.bytes ?? new Uint8Array();
    return new Uint8Array(bytes).buffer;
  };
  return {
    items: async ({ generation, placement, start, end }, signal) => {
      const { browse, stores } = session.of(generation);
      const listing = browse.listing(placement);
      const items = await listing.read(start, end, signal);
      const datasets = await datasetNamesOf(stores, items);
      const { count } = await browse.total(placement);
      return {
        start,
        items: items.map((item, index) => itemView(item, start + index, datasets)),
        count: listing.isComplete ? listing.length : Math.max(count, listing.length),
      };
    },
    thumbnail: async ({ id }, signal) => ({ bytes: await read(binaryDataId(id), signal) }),
    content: async ({ id }, signal) => ({ bytes: await read(binaryDataId(id), signal) }),
    facts: () => Promise.resolve({ facts: [] }),
  };
}
