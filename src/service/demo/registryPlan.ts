import type { JsonObject } from '@bufbuild/protobuf';
import type { Visibility } from '../../gen/viam/app/v1/registry_pb';

/** File of an archive. */
export interface FilePlan {
  path: string;
  text: string;
  isExecutable?: boolean;
}

/** Uploaded version. `daysAgo` counts working days before the demo is loaded. */
export interface VersionPlan {
  version: string;
  daysAgo: number;
}

interface PublishedPlan {
  name: string;
  description: string;
  /** Versions, oldest first. */
  versions: VersionPlan[];
}

/** Module, which is registered before its first version is uploaded. */
export interface ModulePlan extends PublishedPlan {
  url: string;
  markdown: string;
  /** Model triplets with their component subtypes. */
  models: { subtype: string; model: string; description: string }[];
  entrypoint: string;
  platforms: string[];
  /**
   * Date on which the module is published, and its visibility. A separate step is necessary because
   * modules are created as private (spec part 3).
   */
  shared?: { daysAgo: number; visibility: Visibility };
}

/** Model or training script, which is created by its first upload. */
export interface PackagePlan extends PublishedPlan {
  type: 'mlModel' | 'trainingScript';
  metadata: JsonObject;
  files: FilePlan[];
}

/** Registry items of a company, private and public. */
export interface PublishedPlans {
  modules: ModulePlan[];
  packages: PackagePlan[];
}

export const NOTHING_PUBLISHED: PublishedPlans = { modules: [], packages: [] };
