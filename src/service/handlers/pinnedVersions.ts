import type { JsonObject } from '@bufbuild/protobuf';
import { platformsFor } from '../../core/model/packagePlatforms';
import { LATEST, resolvePin } from '../../core/model/versionPin';
import { getString } from '../messages/jsonFields';
import { listPackageFiles, listVersionSummaries } from '../store/packages';
import type { StoreAccess } from '../store/store';

/** Item, and the pin that a config uses to select its version. */
export interface PinnedItem {
  itemId: string;
  /** Version, or a pattern such as `latest` or `^1`. */
  pin: string;
}

/**
 * Returns the pin that a config entry uses to select its version. Defaults to the newest release.
 */
export function getPin({ version }: JsonObject): string {
  return getString(version) || LATEST;
}

/**
 * Resolves pins to versions for a platform, with two queries in total. The archives of a version
 * are uploaded sequentially. A pin that follows the newest version therefore resolves to the
 * previous version until the archive for its platform is available.
 * @returns a function that returns the version of a pinned item; undefined if the item has no
 *   matching version
 */
export async function resolvePinnedVersions(
  access: StoreAccess,
  pinned: readonly PinnedItem[],
  platform = '',
): Promise<(one: PinnedItem) => string | undefined> {
  const itemIds = pinned.map(({ itemId }) => itemId);
  const versions = groupedVersions(await listVersionSummaries(access, itemIds));
  const moving = pinned.filter(({ itemId, pin }) => !versions.get(itemId)?.includes(pin));
  const files =
    platform === ''
      ? []
      : await listPackageFiles(
          access,
          moving.map(({ itemId }) => itemId),
        );
  const wanted = platformsFor(platform);
  const runnable = groupedVersions(files.filter((file) => wanted.includes(file.platform)));
  return ({ itemId, pin }) => {
    const all = versions.get(itemId) ?? [];
    const there = new Set(runnable.get(itemId));
    const isFixed = platform === '' || all.includes(pin);
    const fitting = isFixed ? all : all.filter((version) => there.has(version));
    return resolvePin(pin, fitting) ?? resolvePin(pin, all);
  };
}

function groupedVersions(
  rows: readonly { item_id: string; version: string }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(rows, ({ item_id }) => item_id);
  return new Map([...groups].map(([id, group]) => [id, group.map(({ version }) => version)]));
}
