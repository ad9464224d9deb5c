import { platformsFor } from '../../../core/model/packagePlatforms';
import type { PackageFileRow } from '../../store/packageSchema';
import { TrainingFailure } from '../trainingRunner';

/**
 * Returns the archive of a script version that best matches a platform: an archive for the platform
 * itself, or otherwise an archive for any platform.
 * @param script ID and version of the script, for messages.
 * @param archives archives of the version.
 * @returns undefined if the version has no archives.
 * @throws TrainingFailure if no archive matches.
 */
export function scriptArchive<T extends Pick<PackageFileRow, 'platform'>>(
  script: string,
  archives: readonly T[],
  platform: string,
): T | undefined {
  for (const suited of platformsFor(platform)) {
    const archive = archives.find((one) => one.platform === suited);
    if (archive) return archive;
  }
  if (archives.length === 0) return undefined;
  const others = archives.map((one) => one.platform).join(', ');
  throw new TrainingFailure(
    `The training script ${script} has no archive for ${platform}, which the fleet service runs on. It has archives for ${others}. Upload a version for ${platform}, or for any platform.`,
  );
}
