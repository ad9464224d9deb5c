import { create, type JsonObject } from '@bufbuild/protobuf';
import { AuthenticatorInfoSchema } from '../../gen/viam/app/v1/authorization_pb';
import {
  type Fragment,
  type FragmentHistoryEntry,
  FragmentHistoryEntrySchema,
  FragmentSchema,
  FragmentVisibility,
} from '../../gen/viam/app/v1/fragment_pb';
import type { FragmentWithOwner } from '../store/fragments';
import { timestampFromMicros } from '../store/micros';
import type { FragmentRevisionRow } from '../store/schema';

/** The wire form of a fragment. */
export function fragmentMessage(row: FragmentWithOwner): Fragment {
  return create(FragmentSchema, {
    id: row.id,
    name: row.name,
    fragment: JSON.parse(row.config_json) as JsonObject,
    organizationOwner: row.organization_id,
    organizationName: row.organization_name,
    public: (row.visibility as FragmentVisibility) === FragmentVisibility.PUBLIC,
    visibility: row.visibility,
    createdOn: timestampFromMicros(row.created_at),
    lastUpdated: timestampFromMicros(row.last_updated),
    revision: row.revision,
    ...(row.public_namespace !== null && { publicNamespace: row.public_namespace }),
  });
}

/** The wire form of one edit of a fragment: what it was before, when and by whom it was changed. */
export function fragmentRevisionMessage(
  row: FragmentRevisionRow,
  fragment: FragmentWithOwner,
): FragmentHistoryEntry {
  return create(FragmentHistoryEntrySchema, {
    fragment: row.fragment_id,
    editedOn: timestampFromMicros(row.edited_at),
    old: fragmentMessage({
      ...fragment,
      name: row.old_name,
      config_json: row.old_config_json,
      visibility: row.old_visibility,
      revision: row.old_revision,
      last_updated: row.old_last_updated,
    }),
    editedBy: create(AuthenticatorInfoSchema, { type: row.editor_type, value: row.editor_value }),
    revision: row.old_revision,
    config: JSON.parse(row.old_config_json) as JsonObject,
  });
}
