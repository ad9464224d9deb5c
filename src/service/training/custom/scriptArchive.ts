import { platformsFor } from '../../../core/model/packagePlatforms';
import type { PackageFileRow } from '../../store/packageSchema';
import { TrainingFailure } from '../trainingRunner';

/**
 * The archive of a version of a script that suits a platform best: the platform's own, then one for any.
 * @param script its id and version, for people.
 * @param archives those of the version.
 * @returns undefined when it has no archives at all. @throws TrainingFailure when it has none that suits.
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
