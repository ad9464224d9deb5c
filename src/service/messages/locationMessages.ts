import { create } from '@bufbuild/protobuf';
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
import { timestampFromMicros } from '../store/micros';
import type { MachineSecret } from '../store/secrets';

/**
 * Returns the wire format of a location.
 * @param secrets active secrets of the location; undefined if the caller can't read them.
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
 * Returns the wire format of a machine secret. According to the spec, it includes the secret in
 * readable form for every caller who has permission to read it.
 */
export function secretMessage(row: MachineSecret): SharedSecret {
  return create(SharedSecretSchema, {
    id: row.id,
    secret: row.secret,
    createdOn: timestampFromMicros(row.createdAt),
    state: SharedSecret_State.ENABLED,
  });
}

/** Returns the value of the deprecated single `secret` fields: the newest secret. */
export function getNewestSecret(secrets: readonly MachineSecret[]): string {
  return secrets.at(-1)?.secret ?? '';
}
