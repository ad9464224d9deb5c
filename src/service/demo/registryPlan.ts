import type { JsonObject } from '@bufbuild/protobuf';
import type { Visibility } from '../../gen/viam/app/v1/registry_pb';

/** A file of an archive. */
export interface FilePlan {
  path: string;
  text: string;
  isExecutable?: boolean;
}

/** An upload; days are working days before the demo is loaded. */
export interface VersionPlan {
  version: string;
  daysAgo: number;
}

interface PublishedPlan {
  name: string;
  description: string;
  /** The oldest first. */
  versions: VersionPlan[];
}

/** A module, which is registered before its first version is uploaded. */
export interface ModulePlan extends PublishedPlan {
  url: string;
  markdown: string;
  /** Model triplets with the subtypes of components that they are. */
  models: { subtype: string; model: string; description: string }[];
  entrypoint: string;
  platforms: string[];
  /** Modules are made private (spec part 3); this is when one was published, and how far. */
  shared?: { daysAgo: number; visibility: Visibility };
}

/** A model or a training script, which comes to be by its first upload. */
export interface PackagePlan extends PublishedPlan {
  type: 'mlModel' | 'trainingScript';
  metadata: JsonObject;
  files: FilePlan[];
}

/** What a company publishes, for itself or for everybody. */
export interface PublishedPlans {
  modules: ModulePlan[];
  packages: PackagePlan[];
}

export const NOTHING_PUBLISHED: PublishedPlans = { modules: [], packages: [] };
