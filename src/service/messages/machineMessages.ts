import { create, type JsonObject } from '@bufbuild/protobuf';
import type { AuthenticatorInfo } from '../../gen/viam/app/v1/authorization_pb';
import {
  OnlineState,
  type Robot,
  type RobotPart,
  type RobotPartHistoryEntry,
  RobotPartHistoryEntrySchema,
  RobotPartSchema,
  RobotSchema,
} from '../../gen/viam/app/v1/machine_pb';
import type { ConfigDocument } from '../config/configText';
import { asRevision } from '../store/configVersions';
import type { MachineWithContact } from '../store/machines';
import { type Micros, optionalTimestamp, timestampFromMicros } from '../store/micros';
import { EMPTY_OBJECT_JSON } from '../store/organizations';
import type { PartInLocation } from '../store/parts';
import type { PartRevisionRow } from '../store/schema';
import type { MachineSecret } from '../store/secrets';
import {
  type Location,
  type LocationAuth,
  LocationAuthSchema,
  LocationSchema,
  type SharedSecret,
  SharedSecret_State,
  SharedSecretSchema,
} from '../../gen/viam/app/v1/location_pb';
import type { LocationWithCounts } from '../store/locations';

/** Domain of machine host names. It is reserved for private use and never resolves. */
const MACHINE_DOMAIN = 'fleetwright.internal';
const LOCAL_MACHINE_DOMAIN = 'local.fleetwright.internal';
const MAX_LABEL_LENGTH = 50;
const UNIQUE_LABEL_LENGTH = 6;

/** Returns a machine's wire format. */
export function machineMessage(row: MachineWithContact, now: Micros): Robot {
  const lastAccess = optionalTimestamp(row.last_access);
  return create(RobotSchema, {
    id: row.id,
    name: row.name,
    location: row.location_id,
    createdOn: timestampFromMicros(row.created_at),
    ...(lastAccess && { lastAccess }),
    ...getOnlineState(row.last_access, now),
  });
}

/** Data about a part that a caller can read, apart from the part's existence. */
export interface PartVisibility {
  config: boolean;
  /** True if the response contains the part's metadata. */
  metadata: boolean;
  /** Config that has already been parsed. It might belong to another version. */
  parsedConfig?: ConfigDocument | undefined;
  /** The part's active secrets; undefined if the caller can't read them. */
  secrets: readonly MachineSecret[] | undefined;
}

/** Returns a part's wire format. */
export function partMessage(row: PartInLocation, now: Micros, visible: PartVisibility): RobotPart {
  const lastAccess = optionalTimestamp(row.last_access);
  const label = hostLabel(row);
  return create(RobotPartSchema, {
    id: row.id,
    name: row.name,
    robot: row.machine_id,
    locationId: row.location_id,
    mainPart: row.is_main === 1,
    dnsName: label,
    fqdn: `${label}.${row.location_id}.${MACHINE_DOMAIN}`,
    localFqdn: `${label}.${row.location_id}.${LOCAL_MACHINE_DOMAIN}`,
    createdOn: timestampFromMicros(row.created_at),
    lastUpdated: timestampFromMicros(row.last_updated),
    ...(lastAccess && { lastAccess }),
    ...getOnlineState(row.last_access, now),
    ...(visible.metadata &&
      row.metadata !== EMPTY_OBJECT_JSON && {
        userSuppliedInfo: JSON.parse(row.metadata) as JsonObject,
      }),
    ...(visible.config && {
      robotConfig:
        visible.parsedConfig?.text === row.config_json
          ? visible.parsedConfig.value
          : (JSON.parse(row.config_json) as JsonObject),
      robotConfigJson: row.config_json,
    }),
    ...(visible.secrets && {
      secret: getNewestSecret(visible.secrets),
      secrets: visible.secrets.map(secretMessage),
    }),
  });
}

/**
 * Returns the wire format of an edit to a part: the previous revision, and the change's time and
 * author.
 * @param editedBy the author; undefined if the caller can't know it.
 */
export function partRevisionMessage(
  row: PartRevisionRow,
  part: PartInLocation,
  now: Micros,
  editedBy: AuthenticatorInfo | undefined,
): RobotPartHistoryEntry {
  return create(RobotPartHistoryEntrySchema, {
    part: row.part_id,
    robot: part.machine_id,
    when: timestampFromMicros(row.edited_at),
    // Metadata has no history. The current metadata would look like that of the revision.
    old: partMessage(asRevision(part, row), now, {
      config: true,
      metadata: false,
      secrets: undefined,
    }),
    ...(editedBy && { editedBy }),
  });
}

/**
 * Returns a unique host name label. The label includes some characters from the part's ID, because
 * names don't have to be unique.
 */
export function hostLabel(part: Pick<PartInLocation, 'id' | 'name'>): string {
  const slug = part.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LABEL_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  const unique = part.id.slice(0, UNIQUE_LABEL_LENGTH);
  return slug === '' ? unique : `${slug}-${unique}`;
}

const MICROS_PER_SECOND = 1_000_000;

/**
 * Time in seconds without contact after which a machine is considered offline. Machines report
 * every few seconds.
 */
const ONLINE_WINDOW_SECONDS = 60;

/** Returns the online state of a machine or part, derived from the time of its last contact. */
export function getOnlineState(
  lastAccess: Micros | null,
  now: Micros,
): { onlineState: OnlineState; secondsSinceOnline: bigint } {
  if (lastAccess === null) {
    return { onlineState: OnlineState.AWAITING_SETUP, secondsSinceOnline: 0n };
  }
  const seconds = Math.max(0, Math.floor((now - lastAccess) / MICROS_PER_SECOND));
  return seconds <= ONLINE_WINDOW_SECONDS
    ? { onlineState: OnlineState.ONLINE, secondsSinceOnline: 0n }
    : { onlineState: OnlineState.OFFLINE, secondsSinceOnline: BigInt(seconds) };
}

/**
 * Returns a location's wire format.
 * @param secrets the location's active secrets; undefined if the caller can't read them.
 * @param sharedWith IDs of the organizations that the location is shared with and that the caller
 *   can see.
 */
export function locationMessage(
  row: LocationWithCounts,
  secrets: readonly MachineSecret[] | undefined,
  sharedWith: readonly string[],
): Location {
  return create(LocationSchema, {
    id: row.id,
    name: row.name,
    parentLocationId: row.parent_id ?? '',
    createdOn: timestampFromMicros(row.created_at),
    organizations: [
      { organizationId: row.organization_id, primary: true },
      ...sharedWith.map((organizationId) => ({ organizationId, primary: false })),
    ],
    primaryOrgIdentity: { id: row.organization_id, name: row.organization_name },
    robotCount: row.machine_count,
    config: { region: row.region },
    ...(secrets && { auth: locationAuthMessage(row.id, secrets) }),
  });
}

/** Returns the wire format of a location's secrets. */
export function locationAuthMessage(
  locationId: string,
  secrets: readonly MachineSecret[],
): LocationAuth {
  return create(LocationAuthSchema, {
    locationId,
    secret: getNewestSecret(secrets),
    secrets: secrets.map(secretMessage),
  });
}

/**
 * Returns a machine secret's wire format. According to the spec, it includes the secret in readable
 * form for every caller who has permission to read it.
 */
function secretMessage(row: MachineSecret): SharedSecret {
  return create(SharedSecretSchema, {
    id: row.id,
    secret: row.secret,
    createdOn: timestampFromMicros(row.createdAt),
    state: SharedSecret_State.ENABLED,
  });
}

/** Returns the value for the deprecated single `secret` fields: the newest secret. */
function getNewestSecret(secrets: readonly MachineSecret[]): string {
  return secrets.at(-1)?.secret ?? '';
}
