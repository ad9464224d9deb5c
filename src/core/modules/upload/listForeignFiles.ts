import type { RegistryVersion, VersionFile } from '../../model/registryItem';

/**
 * Returns the archives of a version that another user uploaded at the same time, probably from a
 * different source. Returns none if the version already existed, because the user intended to add
 * archives to it.
 * @param known versions at the time when the user selected this version
 * @param now current versions
 * @param own platforms that this client uploaded
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
