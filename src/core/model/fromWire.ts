import type { JsonObject } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { AuthenticationType, AuthenticatorInfo } from '../../gen/viam/app/v1/authorization_pb';
import type { Fragment as WireFragment } from '../../gen/viam/app/v1/fragment_pb';
import type { Location as WireLocation } from '../../gen/viam/app/v1/location_pb';
import type {
  OnlineState,
  Robot as WireMachine,
  RobotPart as WirePart,
} from '../../gen/viam/app/v1/machine_pb';
import type { Organization as WireOrganization } from '../../gen/viam/app/v1/organization_pb';
import {
  type Editor,
  type EditorKind,
  type Fragment,
  type FragmentSummary,
  type Location,
  type Machine,
  type OnlineStatus,
  type Organization,
  type Part,
  type PartSummary,
  visibilityFromWire,
} from './entities';
import {
  fragmentId,
  locationId,
  machineId,
  organizationId,
  type OrganizationId,
  partId,
} from './ids';
import { timestampToMilliseconds, toVersionToken } from './timestamp';

const STRUCT_TEXT_INDENT = 2;

// Numbers in the API contract's enums, whose generated code is loaded only with the first call. A
// newer service can send numbers that are missing here.
const STATUSES: Readonly<Partial<Record<OnlineState, OnlineStatus>>> = {
  1: 'online',
  2: 'offline',
  3: 'awaitingSetup',
};

const EDITOR_KINDS: Readonly<Partial<Record<AuthenticationType, EditorKind>>> = {
  1: 'user',
  2: 'apiKey',
  3: 'partSecret',
  4: 'locationSecret',
};

/** Converts an online state. States of a newer service are unknown. */
export function statusFromWire(state: OnlineState): OnlineStatus {
  return STATUSES[state] ?? 'unknown';
}

export function organizationFromWire(wire: WireOrganization): Organization {
  return {
    id: organizationId(wire.id),
    name: wire.name,
    publicNamespace: wire.publicNamespace,
    region: wire.defaultRegion,
    crmId: wire.cid ?? '',
    createdOn: toDate(wire.createdOn),
  };
}

/**
 * @param organization organization whose list contains the location; a shared location belongs to
 *   more than one list.
 */
export function locationFromWire(wire: WireLocation, organization: OrganizationId): Location {
  return {
    id: locationId(wire.id),
    organizationId: organization,
    name: wire.name,
    parentId: wire.parentLocationId === '' ? undefined : locationId(wire.parentLocationId),
    machineCount: wire.robotCount,
    region: wire.config?.region ?? '',
    owner: getOwner(wire),
    sharedWith: wire.organizations
      .filter((one) => !one.primary && one.organizationId !== wire.primaryOrgIdentity?.id)
      .map((one) => organizationId(one.organizationId)),
    createdOn: toDate(wire.createdOn),
  };
}

function getOwner({ primaryOrgIdentity, organizations }: WireLocation) {
  const id = primaryOrgIdentity?.id ?? organizations.find(({ primary }) => primary)?.organizationId;
  return id === undefined
    ? undefined
    : { id: organizationId(id), name: primaryOrgIdentity?.name ?? '' };
}

export function machineFromWire(wire: WireMachine): Machine {
  return {
    id: machineId(wire.id),
    locationId: locationId(wire.location),
    name: wire.name,
    status: statusFromWire(wire.onlineState),
    lastAccess: toDate(wire.lastAccess),
    createdOn: toDate(wire.createdOn),
  };
}

export function partSummaryFromWire(wire: WirePart): PartSummary {
  return {
    id: partId(wire.id),
    machineId: machineId(wire.robot),
    locationId: locationId(wire.locationId),
    name: wire.name,
    main: wire.mainPart,
    fqdn: wire.fqdn,
    status: statusFromWire(wire.onlineState),
    lastAccess: toDate(wire.lastAccess),
    lastUpdated: wire.lastUpdated && toVersionToken(wire.lastUpdated),
  };
}

/**
 * @param configJson the config's text from a separate field in the response. Takes precedence over
 *   the Struct, which doesn't preserve key order.
 */
export function partFromWire(wire: WirePart, configJson = ''): Part {
  return { ...partSummaryFromWire(wire), configText: formatPartConfig(wire, configJson) };
}

export function formatPartConfig(wire: WirePart, configJson = ''): string {
  return configJson || wire.robotConfigJson || formatStruct(wire.robotConfig);
}

export function fragmentSummaryFromWire(wire: WireFragment): FragmentSummary {
  return {
    id: fragmentId(wire.id),
    organizationId: organizationId(wire.organizationOwner),
    organizationName: wire.organizationName,
    name: wire.name,
    visibility: visibilityFromWire(wire.visibility),
    revision: wire.revision,
    partCount: wire.robotPartCount,
    createdOn: toDate(wire.createdOn),
    lastUpdated: wire.lastUpdated && toVersionToken(wire.lastUpdated),
  };
}

export function fragmentFromWire(wire: WireFragment): Fragment {
  return { ...fragmentSummaryFromWire(wire), configText: formatStruct(wire.fragment) };
}

export function formatStruct(struct: JsonObject | undefined): string {
  return JSON.stringify(struct ?? {}, undefined, STRUCT_TEXT_INDENT);
}

export function editorFromWire(wire: AuthenticatorInfo | undefined): Editor | undefined {
  return (
    wire && {
      kind: EDITOR_KINDS[wire.type] ?? 'unknown',
      name: wire.value,
      deactivated: wire.isDeactivated,
    }
  );
}

export function toDate(timestamp: Timestamp | undefined): Date | undefined {
  return timestamp && new Date(timestampToMilliseconds(timestamp));
}
