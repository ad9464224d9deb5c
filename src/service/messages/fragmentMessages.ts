import { create, type JsonObject } from '@bufbuild/protobuf';
import type { AuthenticatorInfo } from '../../gen/viam/app/v1/authorization_pb';
import {
  type Fragment,
  type FragmentHistoryEntry,
  FragmentHistoryEntrySchema,
  FragmentSchema,
  type FragmentUsage,
  FragmentUsageSchema,
  FragmentVisibility,
} from '../../gen/viam/app/v1/fragment_pb';
import type { ConfigDocument } from '../config/configText';
import { asRevision } from '../store/configVersions';
import type { FragmentWithOwner } from '../store/fragments';
import { type FragmentUse, UNUSED } from '../store/fragmentUses';
import { timestampFromMicros } from '../store/micros';
import type { FragmentRevisionRow } from '../store/schema';

/** Fragment whose config can be omitted from a response. */
type FragmentResponse = Omit<FragmentWithOwner, 'config_json'> & {
  config_json?: string | undefined;
};

/**
 * Returns a fragment's wire format.
 * @param use usage statistics; omitted if they aren't requested, as in histories.
 * @param parsedConfig config that has already been parsed. It might belong to another version.
 */
export function fragmentMessage(
  row: FragmentResponse,
  use: FragmentUse = UNUSED,
  parsedConfig?: ConfigDocument,
): Fragment {
  const text = row.config_json;
  return create(FragmentSchema, {
    id: row.id,
    name: row.name,
    ...(text !== undefined && {
      fragment: parsedConfig?.text === text ? parsedConfig.value : (JSON.parse(text) as JsonObject),
    }),
    organizationOwner: row.organization_id,
    organizationName: row.organization_name,
    public: (row.visibility as FragmentVisibility) === FragmentVisibility.PUBLIC,
    visibility: row.visibility,
    createdOn: timestampFromMicros(row.created_at),
    lastUpdated: timestampFromMicros(row.last_updated),
    revision: row.revision,
    robotPartCount: use.parts,
    organizationCount: use.organizations,
    onlyUsedByOwner: use.onlyByOwner,
    ...(row.public_namespace !== null && { publicNamespace: row.public_namespace }),
  });
}

/** Returns the wire format of a fragment's usage statistics. */
export function fragmentUsageMessage(fragmentId: string, use: FragmentUse = UNUSED): FragmentUsage {
  return create(FragmentUsageSchema, {
    fragmentId,
    organizations: use.organizations,
    machines: use.machines,
    machinesInCurrentOrg: use.machinesInOrganization,
  });
}

/**
 * Returns the wire format of an edit to a fragment: the previous revision, and the change's time
 * and author.
 * @param editedBy the author; undefined if the caller can't know it.
 */
export function fragmentRevisionMessage(
  row: FragmentRevisionRow,
  fragment: FragmentWithOwner,
  editedBy: AuthenticatorInfo | undefined,
): FragmentHistoryEntry {
  return create(FragmentHistoryEntrySchema, {
    fragment: row.fragment_id,
    editedOn: timestampFromMicros(row.edited_at),
    old: fragmentMessage(asRevision(fragment, row)),
    ...(editedBy && { editedBy }),
    revision: row.old_revision,
    config: JSON.parse(row.old_config_json) as JsonObject,
  });
}
