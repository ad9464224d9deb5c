import type { PageFile, PageVersion, VersionFiles } from '../../src/shared/registryItem';

/**
 * Merges versions with separately loaded archive information: the sizes of archives, and the
 * archives themselves if a version doesn't list any.
 */
export function mergeFiles(
  versions: readonly PageVersion[],
  loaded: readonly VersionFiles[],
): readonly PageVersion[] {
  const byVersion = new Map(loaded.map(({ version, files }) => [version, files]));
  return versions.map((version) => {
    const files = byVersion.get(version.version);
    return files ? { ...version, files: mergedFiles(version.files, files) } : version;
  });
}

function mergedFiles(own: readonly PageFile[], loaded: readonly PageFile[]): readonly PageFile[] {
  if (own.length === 0) return loaded;
  const byPlatform = new Map(loaded.map((file) => [file.platform, file]));
  return own.map((file) => ({ ...byPlatform.get(file.platform), ...file }));
}
