import type { PageFile, PageVersion, VersionFiles } from '../../src/shared/registryItem';

/**
 * Merges versions with separately loaded archive information: the sizes of archives, and the
 * archives themselves if a version doesn't list any.
 */
export function mergeFiles(
  versions: readonly PageVersion[],
  told: readonly VersionFiles[],
): readonly PageVersion[] {
  const byVersion = new Map(told.map(({ version, files }) => [version, files]));
  return versions.map((version) => {
    const files = byVersion.get(version.version);
    return files ? { ...version, files: mergedFiles(version.files, files) } : version;
  });
}

function mergedFiles(own: readonly PageFile[], told: readonly PageFile[]): readonly PageFile[] {
  if (own.length === 0) return told;
  const byPlatform = new Map(told.map((file) => [file.platform, file]));
  return own.map((file) => ({ ...byPlatform.get(file.platform), ...file }));
}
