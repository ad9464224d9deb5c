import type { JsonObject } from '@bufbuild/protobuf';
import type { FragmentVisibility } from '../../gen/viam/app/v1/fragment_pb';
import type { PcdEncoding } from '../../simulate/clouds/pcd';
import type { ImageFormat } from '../../simulate/images/encodeImage';
import type { TabularSource } from '../../simulate/readings/tabularSource';
import type { CaptureSource } from '../../simulate/machines/partUploads';
import type { Visibility } from '../../gen/viam/app/v1/registry_pb';

/** Returns the ID that the service assigned to a fragment, given the fragment's key in the plan. */
export type FragmentIds = (key: string) => string;

/** Returns a config, given the IDs of the fragments that it imports. */
export type ConfigPlan = (fragment: FragmentIds) => JsonObject;

/** Changes a config in place. */
export type ConfigChange = (config: JsonObject, fragment: FragmentIds) => void;

/** Owner of the API key that makes an edit, as shown in histories. */
export type Editor = 'engineers' | 'pipeline';

/** Saved change to a config. `daysAgo` counts working days before the demo is loaded. */
export interface EditPlan {
  daysAgo: number;
  change: ConfigChange;
  /** Defaults to `engineers`. */
  by?: Editor;
}

/**
 * Last contact of a part: it is in continuous contact from now on, had contact a number of working
 * days ago, or has never had contact.
 */
export type ContactPlan = 'live' | 'never' | { daysAgo: number };

export interface PartPlan {
  config: ConfigPlan;
  /** Edits, oldest first. */
  edits?: EditPlan[];
  /** Defaults to `live`. */
  contact?: ContactPlan;
  metadata?: JsonObject;
}

export interface MachinePlan {
  name: string;
  daysAgo: number;
  main: PartPlan;
  /** Parts other than the main part, by name. */
  others?: Record<string, PartPlan>;
  metadata?: JsonObject;
}

export interface LocationPlan {
  name: string;
  metadata?: JsonObject;
  locations?: LocationPlan[];
  machines?: MachinePlan[];
}

export interface FragmentPlan {
  key: string;
  name: string;
  daysAgo: number;
  config: ConfigPlan;
  edits?: EditPlan[];
  /**
   * Date on which the fragment is shared, and its visibility. A separate step is necessary because
   * fragments are created as private (spec part 3).
   */
  shared?: { daysAgo: number; visibility: FragmentVisibility };
}

/** Role in the company. */
export interface RolePlan {
  role: 'owner' | 'operator';
  /** Location to which the role applies; the whole organization if absent. */
  location?: string;
}

/** Member of the company, or an invited user. */
export interface PersonPlan extends RolePlan {
  email: string;
  invitedDaysAgo: number;
  /** Absent for a user who hasn't joined yet. */
  lastLoginDaysAgo?: number;
}

/** API key other than the keys that make the company's edits. */
export interface KeyPlan extends RolePlan {
  name: string;
  daysAgo: number;
}

/** Location that is shared with another company. */
export interface SharePlan {
  location: string;
  /** Name of the other company. */
  with: string;
  daysAgo: number;
}

export interface CompanyPlan {
  name: string;
  /** Public namespace. Used only if it isn't taken. */
  namespace: string;
  daysAgo: number;
  utcOffsetHours: number;
  /** JSON indentation that the company's users prefer. */
  indent: number | string;
  metadata: JsonObject;
  /** Names of the keys that the company's users and programs use for edits. */
  keyNames: Record<Editor, string>;
  people: PersonPlan[];
  keys: KeyPlan[];
  shares: SharePlan[];
  /** Fragments, each after the fragments that it imports. */
  fragments: FragmentPlan[];
  locations: LocationPlan[];
  captures: CapturesPlan;
  published: PublishedPlans;
}

/** Readings that a part has periodically uploaded until now. */
export interface ReadingsPlan {
  /** Name of the part. */
  part: string;
  source: TabularSource;
  everyMinutes: number;
  tags: string[];
}

/** Image of the hall with objects that the machine's camera sees. */
export interface ImagePlan {
  part: string;
  source: CaptureSource;
  hoursAgo: number;
  format: ImageFormat;
  tags: string[];
  /** True if a user has labeled the objects in the image. */
  labeled?: boolean;
  /** Name of the dataset that a user has added the image to. */
  dataset?: string;
}

/**
 * Images that a camera has periodically captured until now, most of which have not been reviewed.
 */
export interface SeriesPlan {
  part: string;
  source: CaptureSource;
  everyMinutes: number;
  /** Interval of tagged images. Every nth image has the tags. */
  taggedEvery: number;
  tags: string[];
}

/**
 * Images of cartons below a camera, classified and labeled by users. There are enough images to
 * train a model.
 */
export interface InspectionPlan {
  part: string;
  source: CaptureSource;
  /** Ages of the first and the last image, in hours. */
  hoursAgo: readonly [number, number];
  count: number;
  dataset: string;
}

/** Point cloud of the hall. */
export interface ScanPlan {
  part: string;
  source: CaptureSource;
  hoursAgo: number;
  encoding: PcdEncoding;
  tags: string[];
  dataset?: string;
}

/** Data that a company's machines have captured in the last few days. */
export interface CapturesPlan {
  readings: ReadingsPlan[];
  pictures: ImagePlan[];
  series: SeriesPlan[];
  inspections: InspectionPlan[];
  scans: ScanPlan[];
}

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
