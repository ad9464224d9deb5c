import type { KnownItemType, RegistryItem, RegistryItemStatus } from './registryItem';
import type { KnownVisibility } from './visibility';

/** Filter for an organization's registry items. An empty list matches everything. */
export interface RegistryFilter {
  readonly types: readonly KnownItemType[];
  readonly visibilities: readonly KnownVisibility[];
  readonly statuses: readonly RegistryItemStatus[];
  /** Platforms, on one of which an archive of the item must run. */
  readonly platforms: readonly string[];
}

export const WHOLE_REGISTRY: RegistryFilter = {
  types: [],
  visibilities: [],
  statuses: [],
  platforms: [],
};

const ANY = 'any';

/** Returns true if a filter excludes anything. */
export function isFilteringRegistry(filter: RegistryFilter): boolean {
  return Object.values(filter).some((wanted: readonly string[]) => wanted.length > 0);
}

export function matchesRegistryFilter(item: RegistryItem, filter: RegistryFilter): boolean {
  return (
    accepts(filter.types, item.type) &&
    accepts(filter.visibilities, item.visibility) &&
    accepts(filter.statuses, item.status) &&
    (filter.platforms.length === 0 ||
      // Brief lists don't contain versions, so the platforms are unknown.
      item.isBrief === true ||
      listItemPlatforms([item]).some(runsOnOne(filter.platforms)))
  );
}

/** Returns the platforms of the items' archives, sorted by name. */
export function listItemPlatforms(items: readonly RegistryItem[]): readonly string[] {
  const files = items.flatMap(({ versions }) => versions).flatMap((version) => version.files);
  return [...new Set(files.map(({ platform }) => platform))].toSorted();
}

function accepts(wanted: readonly string[], given: string | undefined): boolean {
  return wanted.length === 0 || (given !== undefined && wanted.includes(given));
}

/**
 * Returns a function that checks if an archive runs on one of the platforms. An archive for
 * `linux/any` or `any` also runs on `linux/arm64`.
 */
function runsOnOne(wanted: readonly string[]): (platform: string) => boolean {
  return (platform) =>
    platform === ANY ||
    wanted.some((one) => platform === one || platform === `${one.split('/', 1)[0] ?? ''}/${ANY}`);
}
