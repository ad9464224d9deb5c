import { stat } from 'node:fs/promises';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import type { ManifestFile } from '../../platform/moduleManifests';
import type { LastUpload, UploadedBuild } from './lastUploads';
import type { UploadSettings } from './uploadSettings';

/**
 * Returns the record of an upload that is starting.
 * @param arrived builds of the same version that have already been uploaded
 */
export async function createLastUpload(
  { connectionId, itemId: moduleId }: RegistryItemTarget,
  { uri }: ManifestFile,
  { version, builds }: UploadSettings,
  arrived: readonly UploadedBuild[],
): Promise<LastUpload> {
  const sent = await Promise.all(
    builds.map(async ({ path, platform = 'any', facts }): Promise<UploadedBuild> => {
      return { path, platform, writtenAt: await writtenAt(path, facts.form) };
    }),
  );
  const others = arrived.filter(({ platform }) => sent.every((one) => one.platform !== platform));
  return {
    ...{ manifest: uri.toString(), connectionId, moduleId, version },
    ...{ builds: [...others, ...sent], hasArrived: false },
  };
}

/**
 * Returns the modification time of an archive. Undefined for a folder, and for a deleted archive,
 * because the upload reports that error.
 */
async function writtenAt(path: string, form: 'archive' | 'folder'): Promise<number | undefined> {
  if (form === 'folder') return undefined;
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}
