import type { FragmentId, LocationId, MachineId, OrganizationId, PartId } from './ids';
import type { VersionToken } from './versionToken';

/** Online status; `unknown` if the service doesn't report it, never inferred from its absence. */
export type OnlineStatus = 'online' | 'offline' | 'awaitingSetup' | 'unknown';

export interface Organization {
  readonly id: OrganizationId;
  readonly name: string;
  /** Public namespace; empty until it is set, and can't be changed afterward. */
  readonly publicNamespace: string;
  readonly region: string;
  /** ID in a customer relationship management system. */
  readonly crmId: string;
  readonly createdOn: Date | undefined;
}

/** Organization with only the data that identifies it to users. */
export interface OrganizationIdentity {
  readonly id: OrganizationId;
  readonly name: string;
}

export interface Location {
  readonly id: LocationId;
  readonly organizationId: OrganizationId;
  readonly name: string;
  /** Parent location; undefined for a top-level location. */
  readonly parentId: LocationId | undefined;
  /** Number of machines directly in this location, according to the service. */
  readonly machineCount: number;
  readonly region: string;
  /** Organization that owns the location; undefined if the service doesn't report it. */
  readonly owner: OrganizationIdentity | undefined;
  /** Other organizations that can read the location. */
  readonly sharedWith: readonly OrganizationId[];
  readonly createdOn: Date | undefined;
}

export interface Machine {
  readonly id: MachineId;
  readonly locationId: LocationId;
  readonly name: string;
  readonly status: OnlineStatus;
  readonly lastAccess: Date | undefined;
  readonly createdOn: Date | undefined;
}

/** Part as shown in lists, without its config. */
export interface PartSummary {
  readonly id: PartId;
  readonly machineId: MachineId;
  readonly locationId: LocationId;
  readonly name: string;
  readonly main: boolean;
  readonly fqdn: string;
  readonly status: OnlineStatus;
  readonly lastAccess: Date | undefined;
  /** Version of the resource; undefined if the service has no versions. */
  readonly lastUpdated: VersionToken | undefined;
}

export interface Part extends PartSummary {
  /** JSON text of the config, exactly as the service stores it. */
  readonly configText: string;
}

export type FragmentVisibility = 'private' | 'public' | 'publicUnlisted' | 'unknown';

/** Fragment as shown in lists, without its config. */
export interface FragmentSummary {
  readonly id: FragmentId;
  /**
   * Organization that owns the fragment, which can be a different organization if the fragment is
   * public.
   */
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly name: string;
  readonly visibility: FragmentVisibility;
  readonly revision: string;
  /** Number of parts that use the fragment, according to the service. */
  readonly partCount: number;
  readonly createdOn: Date | undefined;
  readonly lastUpdated: VersionToken | undefined;
}

export interface Fragment extends FragmentSummary {
  /**
   * JSON text, formatted from the wire's Struct and indented with two spaces. The API doesn't
   * provide the raw text of fragments, so the order of keys and integers beyond 2^53 can differ
   * from the original.
   */
  readonly configText: string;
}
