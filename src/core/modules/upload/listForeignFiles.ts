import type { RegistryVersion, VersionFile } from '../../model/registryItem';

/**
 * Returns the archives of a version that another user uploaded at the same time, probably from
 * another source. Empty if the version existed before, because adding to it was intended.
 * @param known versions when this one was selected
 * @param now current versions
 * @param own platforms uploaded by this client
 */
export function listForeignFiles(
  version: string,
  known: readonly RegistryVersion[],
  now: readonly RegistryVersion[],
  own: readonly string[],
): readonly VersionFile[] {
  if (known.some((one) => one.version === version)) return [];
  const files = now.find((one) => one.version === version)?.files ?? [];
  return files.filter(({ platform }) => !own.includes(platform));
}
