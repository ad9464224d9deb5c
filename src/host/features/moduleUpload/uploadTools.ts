import type { RegistryItem } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import type { ModuleManifest } from '../../../core/modules/manifest/moduleManifest';
import type { BuildReader } from '../../../core/modules/upload/buildReader';
import type { KeyValue } from '../../../core/ports';
import type { RegistryStore } from '../../../core/stores/registryStore';
import type { FleetTools } from '../../platform/fleetTools';
import type { ManifestFile } from '../../platform/moduleManifests';
import type { ActiveUploads } from './activeUploads';

/** Dependencies for uploading modules and training scripts. */
export interface ModuleUploadTools extends FleetTools {
  /** Storage of the workspace, for the last uploads. */
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
