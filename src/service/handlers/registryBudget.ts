import { toBinary } from '@bufbuild/protobuf';
import { type RegistryItem, RegistryItemSchema } from '../../gen/viam/app/v1/registry_pb';
import { ConfigBudget } from '../config/configBudget';

const MEBIBYTE = 1024 * 1024;
/**
 * Maximum total size of metadata. A message can have at most 64 MiB. The remainder is reserved for
 * items without metadata.
 */
const LIMITS = { own: 20 * MEBIBYTE, others: 28 * MEBIBYTE };

/**
 * Omits the metadata of items that exceed a list's size limit. Publishing too much therefore can't
 * break the list for others. GetRegistryItem returns each item in full.
 * @param isOwn returns true if the caller belongs to the organization of an item.
 */
export function withinBudget(
  items: readonly RegistryItem[],
  isOwn: (item: RegistryItem) => boolean,
): RegistryItem[] {
  const budget = new ConfigBudget(LIMITS);
  return items.map((item) => {
    const bytes = toBinary(RegistryItemSchema, item).byteLength;
    if (budget.tryConsume(isOwn(item) ? 'own' : 'others', bytes)) {
      return item;
    }
    const brief: RegistryItem = { ...item, metadata: { case: undefined } };
    delete brief.billing;
    return brief;
  });
}
