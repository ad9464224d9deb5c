import { toDisplayText } from '../../../../core/model/displayText';
import type { PackageFileInfo } from '../../../../core/model/registryPackage';
import type { VersionFiles } from '../../../../shared/registryItem';

/**
 * Groups the metadata of archives by version.
 * @param bytesText formats a size
 */
export function versionFiles(
  packages: readonly PackageFileInfo[],
  bytesText: (bytes: number) => string,
): readonly VersionFiles[] {
  const byVersion = Map.groupBy(packages, ({ version }) => version);
  return [...byVersion].map(([version, files]) => ({
    version: toDisplayText(version),
    files: files.map(({ platform, createdOn, sizeBytes }) => ({
      platform: toDisplayText(platform),
      ...(createdOn && { uploadedAt: createdOn.getTime() }),
      ...(sizeBytes !== undefined && { size: bytesText(sizeBytes) }),
    })),
  }));
}
