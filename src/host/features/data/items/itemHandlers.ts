import { ItemContents } from '../../../../core/data/contents/itemContents';
import { binaryDataId } from '../../../../core/model/ids';
import type { HostHandlers } from '../../../../shared/protocol';
import type { itemMessages } from '../../../../shared/data/items';
import type { DataSession } from '../dataSession';
import { datasetNamesOf, itemView } from './itemViews';

/** The host's answers about items and their contents. */
export function itemHandlers(session: DataSession): HostHandlers<typeof itemMessages> {
  const contents = new ItemContents({
    store: () => session.stores.binaryData,
    find: (id) => session.current.browse.find(id)?.item,
    // Messages of a webview come one by one, those of one moment in one turn.
    gathered: () => new Promise((resolve) => setImmediate(resolve)),
  });
  return {
    items: async ({ generation, placement, start, end }, signal) => {
      const { browse, stores } = session.of(generation);
      const listing = browse.listing(placement);
      const items = await listing.readTowards(start, end, signal);
      const datasets = await datasetNamesOf(stores, items);
      const { count } = await browse.total(placement);
      return {
        start,
        items: items.map((item, index) => itemView(item, start + index, datasets)),
        count: listing.isComplete ? listing.length : Math.max(count, listing.length),
        read: listing.length,
      };
    },
    thumbnail: async ({ id }, signal) => ({
      bytes: await contents.thumbnail(binaryDataId(id), signal),
    }),
    content: async ({ id }, signal) => ({ bytes: await contents.whole(binaryDataId(id), signal) }),
    facts: () => Promise.resolve({ facts: [] }),
  };
}
