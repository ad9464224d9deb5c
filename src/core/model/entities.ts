import type { ConfigState } from './contractExtensions';
import type { FragmentId, LocationId, MachineId, OrganizationId, PartId } from './ids';
import type { VersionToken } from './timestamp';
import type { FragmentVisibility as WireVisibility } from '../../gen/viam/app/v1/fragment_pb';

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
  /** Progress of the config; undefined if the service doesn't report it. */
  readonly configState?: ConfigState | undefined;
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
   * provide the raw text of fragments, so key order and integers beyond 2^53 can differ from the
   * original.
   */
  readonly configText: string;
}

export type EditorKind = 'user' | 'apiKey' | 'partSecret' | 'locationSecret' | 'unknown';

/** Author of a change. */
export interface Editor {
  readonly kind: EditorKind;
  /** Email address, key ID, or another identity, as reported by the service. */
  readonly name: string;
  readonly deactivated: boolean;
}

/** Edit as reported by the service, which returns the document **before** the edit. */
export interface HistoryEntry {
  /** Version that identifies the edit, which replaced `old`. */
  readonly editedOn: VersionToken | undefined;
  readonly editor: Editor | undefined;
  /** Name and config **before** the edit; undefined if the service didn't store them. */
  readonly old: { readonly name: string; readonly configText: string } | undefined;
}

export interface HistoryRequest {
  readonly pageToken?: string | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Page of a list. An empty `nextPageToken` means that the page is the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextPageToken: string;
}

const PRIVATE: WireVisibility.PRIVATE = 1;
const PUBLIC: WireVisibility.PUBLIC = 2;
const PUBLIC_UNLISTED: WireVisibility.PUBLIC_UNLISTED = 3;

/** Visibility that a user can select. */
export type KnownVisibility = Exclude<FragmentVisibility, 'unknown'>;

/**
 * Request value for all visibilities, because the service treats an empty list as "public only".
 */
export const EVERY_VISIBILITY: WireVisibility[] = [PRIVATE, PUBLIC, PUBLIC_UNLISTED];

export function visibilityFromWire(wire: WireVisibility): FragmentVisibility {
  switch (wire) {
    case PRIVATE:
      return 'private';
    case PUBLIC:
      return 'public';
    case PUBLIC_UNLISTED:
      return 'publicUnlisted';
    default:
      return 'unknown';
  }
}

export function visibilityToWire(visibility: KnownVisibility): WireVisibility {
  switch (visibility) {
    case 'private':
      return PRIVATE;
    case 'public':
      return PUBLIC;
    case 'publicUnlisted':
      return PUBLIC_UNLISTED;
  }
}
