import type { RegistryItem } from '../../model/registryItem';
import type { RegistryStore } from '../../stores/registryStore';
import type { Platform } from '../platforms';

/** Archive of a version. */
interface VersionArchive {
  readonly version: string;
  readonly platform: Platform;
}

/**
 * Checks if the registry has an archive whose upload received no response. Returns undefined if
 * that can't be determined, for example after a sign-out. Never throws.
 */
export async function isRegistered(
  registry: Pick<RegistryStore, 'get'>,
  { id }: Pick<RegistryItem, 'id'>,
  archive: VersionArchive,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    const { versions } = await registry.get(id, { fresh: true, signal });
    const files = versions.find(({ version }) => version === archive.version)?.files ?? [];
    return files.some(({ platform }) => platform === archive.platform);
  } catch {
    return undefined;
  }
}
