import type { RegistryVersion, VersionFile } from '../../model/registryItem';

/**
 * The archives of a version that somebody else uploaded while it was being made here: from another source,
 * as likely as not. None of a version that was there before, which was joined on purpose.
 * @param known what there was when the version was chosen
 * @param now what there is
 * @param own platforms that were uploaded here
 */
export function filesOfOthers(
  version: string,
  known: readonly RegistryVersion[],
  now: readonly RegistryVersion[],
  own: readonly string[],
): readonly VersionFile[] {
  if (known.some((one) => one.version === version)) return [];
  const files = now.find((one) => one.version === version)?.files ?? [];
  return files.filter(({ platform }) => !own.includes(platform));
}
