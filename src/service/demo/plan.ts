import type { JsonObject } from '@bufbuild/protobuf';
import type { FragmentVisibility } from '../../gen/viam/app/v1/fragment_pb';
import type { CapturesPlan } from './capturePlan';
import type { PublishedPlans } from './registryPlan';

/** Returns the ID that the service assigned to the fragment with a key in the plan. */
export type FragmentIds = (key: string) => string;

/** Returns a config, given the IDs of the fragments that it imports. */
export type ConfigPlan = (fragment: FragmentIds) => JsonObject;

/** Changes a config in place. */
export type ConfigChange = (config: JsonObject, fragment: FragmentIds) => void;

/** Owner of the API key that makes an edit, as shown in histories. */
export type Editor = 'engineers' | 'pipeline';

/** Saved change of a config. `daysAgo` counts working days before the demo is loaded. */
export interface EditPlan {
  daysAgo: number;
  change: ConfigChange;
  /** Defaults to `engineers`. */
  by?: Editor;
}

/** Last contact of a part: continuous from now on, a number of working days ago, or never. */
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
   * Date and visibility of sharing the fragment, because fragments are created as private (spec
   * part 3).
   */
  shared?: { daysAgo: number; visibility: FragmentVisibility };
}

/** Role in the company. */
export interface RolePlan {
  role: 'owner' | 'operator';
  /** Location of the role; the whole organization if absent. */
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
  /** Public namespace, if the company has one and it isn't taken. */
  namespace: string;
  daysAgo: number;
  utcOffsetHours: number;
  /** JSON indentation that the company's users prefer. */
  indent: number | string;
  metadata: JsonObject;
  /** Names of the keys with which the company's users and programs make edits. */
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
