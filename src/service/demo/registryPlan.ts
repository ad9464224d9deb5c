import type { JsonObject } from '@bufbuild/protobuf';
import type { Visibility } from '../../gen/viam/app/v1/registry_pb';

/** File of an archive. */
export interface FilePlan {
  path: string;
  text: string;
  isExecutable?: boolean;
}

/** Upload; days are working days before the demo is loaded. */
export interface VersionPlan {
  version: string;
  daysAgo: number;
}

interface PublishedPlan {
  name: string;
  description: string;
  /** Versions, the oldest first. */
  versions: VersionPlan[];
}

/** Module, which is registered before its first version is uploaded. */
export interface ModulePlan extends PublishedPlan {
  url: string;
  markdown: string;
  /** Model triplets, with the component subtype of each. */
  models: { subtype: string; model: string; description: string }[];
  entrypoint: string;
  platforms: string[];
  /**
   * Modules are created as private (spec part 3); this is the date and visibility of publishing it.
   */
  shared?: { daysAgo: number; visibility: Visibility };
}

/** Model or training script, which its first upload creates. */
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
