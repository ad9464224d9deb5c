import type { JsonObject } from '@bufbuild/protobuf';
import { platformsFor } from '../../core/model/packagePlatforms';
import { LATEST, versionOfPin } from '../../core/model/versionPin';
import { textOf } from '../messages/jsonFields';
import { listPackageFiles, listVersionSummaries } from '../store/packages';
import type { StoreAccess } from '../store/store';

/** An item, and how a config chooses its version. */
export interface PinnedItem {
  itemId: string;
  /** A version, or a pin such as `latest` or `^1`. */
  pin: string;
}

/** How an entry of a config chooses its version: the newest release where it leaves that open. */
export function pinOf({ version }: JsonObject): string {
  return textOf(version) || LATEST;
}

/**
 * The versions that pins come to on a platform, in two queries for all of them. A version gets its archives
 * one after the other, so what follows the newest stays on the version before until the archive for its
 * platform is there.
 * @returns a function that answers the version of one of them; undefined where the item has none such
 */
export async function versionsOfPins(
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
    return versionOfPin(pin, fitting) ?? versionOfPin(pin, all);
  };
}

function groupedVersions(
  rows: readonly { item_id: string; version: string }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(rows, ({ item_id }) => item_id);
  return new Map([...groups].map(([id, group]) => [id, group.map(({ version }) => version)]));
}
