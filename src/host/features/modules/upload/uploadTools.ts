import type { RegistryItem } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { ModuleManifest } from '../../../../core/modules/manifest/moduleManifest';
import type { BuildReader } from '../../../../core/modules/buildFacts';
import type { KeyValue } from '../../../../core/ports';
import type { RegistryStore } from '../../../../core/stores/registryStore';
import type { FleetTools } from '../../../platform/fleetTools';
import type { ManifestFile } from '../../../platform/modules/moduleManifests';
import type { DisposableLike } from '../../../../base/disposable';

/** Dependencies for uploading modules and training scripts. */
export interface ModuleUploadTools extends FleetTools {
  /** The workspace's storage, for the last uploads. */
  readonly storage: KeyValue;
  readonly presentError: (error: unknown) => void;
  readonly activeUploads: ActiveUploads;
}

/** Module to upload and its manifest in this workspace. */
export interface UploadSubject {
  readonly target: RegistryItemTarget;
  readonly registry: RegistryStore;
  /** Complete registry item, reloaded for this upload. */
  readonly item: RegistryItem;
  /** Absent if the module was selected in the tree and this workspace has no manifest for it. */
  readonly file: ManifestFile | undefined;
  /**
   * Manifest for validating builds: either the manifest in `file`, or one derived from the
   * registry. Absent if the registry doesn't provide the data.
   */
  readonly manifest: ModuleManifest | undefined;
  readonly builds: BuildReader;
}

/**
 * Uploads in progress. Prevents the same upload from being started twice, for example if the user
 * presses a key twice.
 */
export class ActiveUploads {
  private readonly manifests = new Set<string>();

  /** @param manifest the manifest's URI */
  has(manifest: string): boolean {
    return this.manifests.has(manifest);
  }

  /** Runs a confirmed upload, even if another upload for the same manifest is in progress. */
  async during<Result>(manifest: string, work: () => Promise<Result>): Promise<Result> {
    const begun = this.begin(manifest);
    try {
      return await work();
    } finally {
      begun?.dispose();
    }
  }

  /**
   * @returns a disposable that ends the upload; undefined while another upload for this manifest is
   *   in progress
   */
  begin(manifest: string): DisposableLike | undefined {
    if (this.manifests.has(manifest)) return undefined;
    this.manifests.add(manifest);
    return { dispose: () => void this.manifests.delete(manifest) };
  }
}
