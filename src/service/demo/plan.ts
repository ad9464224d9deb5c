import type { JsonObject } from '@bufbuild/protobuf';
import type { FragmentVisibility } from '../../gen/viam/app/v1/fragment_pb';
import type { CapturesPlan } from './capturePlan';
import type { PublishedPlans } from './registryPlan';

/** Returns the ID that the service gave to a fragment, by the fragment's key in the plan. */
export type FragmentIds = (key: string) => string;

/** Returns a config, given the IDs of the fragments that it imports. */
export type ConfigPlan = (fragment: FragmentIds) => JsonObject;

/** Changes a config in place. */
export type ConfigChange = (config: JsonObject, fragment: FragmentIds) => void;

/** Owner of the API key that makes an edit, as shown in histories. */
export type Editor = 'engineers' | 'pipeline';

/** Saved change of a config. Days are working days before the demo is loaded. */
export interface EditPlan {
  daysAgo: number;
  change: ConfigChange;
  /** Defaults to the engineers. */
  by?: Editor;
}

/** Last contact of a part: now and from then on, a number of working days ago, or never. */
export type ContactPlan = 'live' | 'never' | { daysAgo: number };

export interface PartPlan {
  config: ConfigPlan;
  /** Edits, the oldest first. */
  edits?: EditPlan[];
  /** Defaults to `live`. */
  contact?: ContactPlan;
  metadata?: JsonObject;
}

export interface MachinePlan {
  name: string;
  daysAgo: number;
  main: PartPlan;
  /** Parts other than the main one, by name. */
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
   * Fragments are created as private (spec part 3); this is the date and visibility of sharing it.
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

/** API key other than those that make the company's edits. */
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
  /** Public namespace, if it has one and it isn't taken. */
  namespace: string;
  daysAgo: number;
  utcOffsetHours: number;
  /** JSON indentation that its users prefer. */
  indent: number | string;
  metadata: JsonObject;
  /** Names of the keys that its users and programs use for edits. */
  keyNames: Record<Editor, string>;
  people: PersonPlan[];
  keys: KeyPlan[];
  shares: SharePlan[];
  /** Fragments, each after those that it imports. */
  fragments: FragmentPlan[];
  locations: LocationPlan[];
  captures: CapturesPlan;
  published: PublishedPlans;
}
