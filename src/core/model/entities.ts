import type { FragmentId, LocationId, MachineId, OrganizationId, PartId } from './ids';
import type { VersionToken } from './versionToken';

/** `unknown` when the service says nothing; it is never guessed from silence. */
export type OnlineStatus = 'online' | 'offline' | 'awaitingSetup' | 'unknown';

export interface Organization {
  readonly id: OrganizationId;
  readonly name: string;
  /** Empty until it is set once; then it never changes. */
  readonly publicNamespace: string;
  readonly region: string;
  /** Its id in a customer relationship system. */
  readonly crmId: string;
  readonly createdOn: Date | undefined;
}

/** An organization as those see it who only need to name it. */
export interface OrganizationIdentity {
  readonly id: OrganizationId;
  readonly name: string;
}

export interface Location {
  readonly id: LocationId;
  readonly organizationId: OrganizationId;
  readonly name: string;
  /** Undefined at the top level. */
  readonly parentId: LocationId | undefined;
  /** Machines directly in this location, as the service counts them. */
  readonly machineCount: number;
  readonly region: string;
  /** The organization it belongs to; undefined when the service does not tell. */
  readonly owner: OrganizationIdentity | undefined;
  /** The other organizations that may read it. */
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

/** A part as lists show it, without its config. */
export interface PartSummary {
  readonly id: PartId;
  readonly machineId: MachineId;
  readonly locationId: LocationId;
  readonly name: string;
  readonly main: boolean;
  readonly fqdn: string;
  readonly status: OnlineStatus;
  readonly lastAccess: Date | undefined;
  /** Undefined when the service keeps no versions. */
  readonly lastUpdated: VersionToken | undefined;
}

export interface Part extends PartSummary {
  /** The config's JSON text exactly as the service keeps it. */
  readonly configText: string;
}

export type FragmentVisibility = 'private' | 'public' | 'publicUnlisted' | 'unknown';

/** A fragment as lists show it, without its config. */
export interface FragmentSummary {
  readonly id: FragmentId;
  /** The organization that owns it; of a public fragment it may be a foreign one. */
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly name: string;
  readonly visibility: FragmentVisibility;
  readonly revision: string;
  /** Parts that use it, as the service counts them. */
  readonly partCount: number;
  readonly createdOn: Date | undefined;
  readonly lastUpdated: VersionToken | undefined;
}

export interface Fragment extends FragmentSummary {
  /**
   * JSON text written from the wire's Struct (two spaces): the wire has no raw text for fragments,
   * so key order and integers beyond 2^53 may differ from what was once typed.
   */
  readonly configText: string;
}
