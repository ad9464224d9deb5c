import type { JsonObject } from '@bufbuild/protobuf';
import type { FragmentVisibility } from '../../gen/viam/app/v1/fragment_pb';
import type { CapturesPlan } from './capturePlan';
import type { PublishedPlans } from './registryPlan';

/** Answers the id that the service gave to a fragment, by the fragment's key in the plan. */
export type FragmentIds = (key: string) => string;

/** A config, once the ids of the fragments it imports are known. */
export type ConfigPlan = (fragment: FragmentIds) => JsonObject;

/** Changes a config in place. */
export type ConfigChange = (config: JsonObject, fragment: FragmentIds) => void;

/** Whose API key makes an edit: histories name it. */
export type Editor = 'engineers' | 'pipeline';

/** One saved change of a config. Days are working days before the demo is loaded. */
export interface EditPlan {
  daysAgo: number;
  change: ConfigChange;
  /** Engineers, when absent. */
  by?: Editor;
}

/** When a part last called the service: now and from then on, working days ago, or not yet. */
export type ContactPlan = 'live' | 'never' | { daysAgo: number };

export interface PartPlan {
  config: ConfigPlan;
  /** The oldest first. */
  edits?: EditPlan[];
  /** `live`, when absent. */
  contact?: ContactPlan;
  metadata?: JsonObject;
}

export interface MachinePlan {
  name: string;
  daysAgo: number;
  main: PartPlan;
  /** Parts besides the main one, by name. */
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
  /** Fragments are made private (spec part 3); this is when one was shared, and how far. */
  shared?: { daysAgo: number; visibility: FragmentVisibility };
}

/** A role in the company. */
export interface RolePlan {
  role: 'owner' | 'operator';
  /** The location it is held on; the whole organization, when absent. */
  location?: string;
}

/** Somebody who works with the fleet, or was invited to. */
export interface PersonPlan extends RolePlan {
  email: string;
  invitedDaysAgo: number;
  /** Who has not joined yet has none. */
  lastLoginDaysAgo?: number;
}

/** A key besides those with which the company edits. */
export interface KeyPlan extends RolePlan {
  name: string;
  daysAgo: number;
}

/** A location that another company may look into. */
export interface SharePlan {
  location: string;
  /** The name of the other company. */
  with: string;
  daysAgo: number;
}

export interface CompanyPlan {
  name: string;
  /** Its public namespace, when it has one and nobody has taken it. */
  namespace: string;
  daysAgo: number;
  utcOffsetHours: number;
  /** How its people indent JSON. */
  indent: number | string;
  metadata: JsonObject;
  /** Names of the keys with which its people and programs edit. */
  keyNames: Record<Editor, string>;
  people: PersonPlan[];
  keys: KeyPlan[];
  shares: SharePlan[];
  /** A fragment after those it imports. */
  fragments: FragmentPlan[];
  locations: LocationPlan[];
  captures: CapturesPlan;
  published: PublishedPlans;
}
