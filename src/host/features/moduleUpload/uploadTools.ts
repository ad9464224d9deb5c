import type { RegistryItem } from '../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../core/model/resourceTarget';
import type { ModuleManifest } from '../../../core/modules/manifest/moduleManifest';
import type { BuildReader } from '../../../core/modules/upload/buildReader';
import type { KeyValue } from '../../../core/ports';
import type { RegistryStore } from '../../../core/stores/registryStore';
import type { FleetTools } from '../../platform/fleetTools';
import type { ManifestFile } from '../../platform/moduleManifests';
import type { UploadsUnderWay } from './uploadsUnderWay';

/** What uploads of modules and training scripts work with. */
export interface ModuleUploadTools extends FleetTools {
  /** Of the workspace: remembers what was uploaded. */
  readonly storage: KeyValue;
  readonly presentError: (error: unknown) => void;
  readonly underWay: UploadsUnderWay;
}

/** The module that builds are uploaded to, and what describes it here. */
export interface UploadSubject {
  readonly target: RegistryItemTarget;
  readonly registry: RegistryStore;
  /** Whole, as the registry had it just now. */
  readonly item: RegistryItem;
  /** Absent when the module was picked in the tree, and none of this workspace describes it. */
  readonly file: ManifestFile | undefined;
  /** What builds are held against: the file's, or what the registry says; absent when it says nothing. */
  readonly manifest: ModuleManifest | undefined;
  readonly builds: BuildReader;
}
