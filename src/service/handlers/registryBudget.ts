import { toBinary } from '@bufbuild/protobuf';
import { type RegistryItem, RegistryItemSchema } from '../../gen/viam/app/v1/registry_pb';
import { ConfigBudget } from '../config/configBudget';

const MEBIBYTE = 1024 * 1024;
/** Messages end at 64 MiB; the rest is room for what is left of the others. */
const LIMITS = { own: 20 * MEBIBYTE, others: 28 * MEBIBYTE };

/**
 * Leaves the metadata out of items that a list has no place for, so that nobody can make it fail by
 * publishing much: GetRegistryItem answers each whole.
 * @param isOwn whether the caller belongs to the organization of an item.
 */
export function withinBudget(
  items: readonly RegistryItem[],
  isOwn: (item: RegistryItem) => boolean,
): RegistryItem[] {
  const budget = new ConfigBudget(LIMITS);
  return items.map((item) => {
    const bytes = toBinary(RegistryItemSchema, item).byteLength;
    if (budget.takes(isOwn(item) ? 'own' : 'others', bytes)) {
      return item;
    }
    const brief: RegistryItem = { ...item, metadata: { case: undefined } };
    delete brief.billing;
    return brief;
  });
}
