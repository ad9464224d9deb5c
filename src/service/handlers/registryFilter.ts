import type {
  ListRegistryItemsRequest,
  RegistryItem,
  RegistryItemStatus,
} from '../../gen/viam/app/v1/registry_pb';

/**
 * Returns true if an item matches a filter. An empty list doesn't filter on its field (spec part 3,
 * ListRegistryItems).
 */
export function matches(
  item: RegistryItem,
  status: RegistryItemStatus,
  request: ListRegistryItemsRequest,
): boolean {
  const module = item.metadata.case === 'moduleMetadata' ? item.metadata.value : undefined;
  const platforms = (module?.versions ?? [])
    .flatMap(({ files }) => files)
    .map(({ platform }) => platform);
  return (
    accepts(request.types, [item.type]) &&
    accepts(request.visibilities, [item.visibility]) &&
    accepts(request.statuses, [status]) &&
    accepts(request.platforms, platforms) &&
    accepts(request.publicNamespaces, [item.publicNamespace]) &&
    accepts(request.moduleSourceTypes, [module?.sourceType]) &&
    accepts(request.moduleLanguages, [module?.language]) &&
    isFound(item, request.searchTerm ?? '')
  );
}

/**
 * Returns true if a filter accepts a value. Clients send an empty or unspecified value to disable
 * the filter.
 */
function accepts<T extends string | number>(
  wanted: readonly T[],
  given: readonly (T | undefined)[],
): boolean {
  const real = wanted.filter((value) => value !== '' && value !== 0);
  return real.length === 0 || given.some((value) => value !== undefined && real.includes(value));
}

/**
 * Returns true if every word of the term occurs in the ID, the description, or a model, ignoring
 * case.
 */
function isFound(item: RegistryItem, term: string): boolean {
  const models = item.metadata.case === 'moduleMetadata' ? item.metadata.value.models : [];
  const text = [item.itemId, item.description, ...models.flatMap(({ api, model }) => [api, model])]
    .join('\n')
    .toLowerCase();
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
