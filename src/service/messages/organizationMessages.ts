import { create, fromJsonString } from '@bufbuild/protobuf';
import { FragmentImportListSchema } from '../../gen/viam/app/v1/fragment_pb';
import {
  type Organization,
  OrganizationSchema,
  type OrganizationMember,
  OrganizationMemberSchema,
  type OrgDetails,
  OrgDetailsSchema,
} from '../../gen/viam/app/v1/organization_pb';
import { AllowedLoginMethodsSchema } from '../../gen/viam/app/v1/registry_pb';
import { optionalTimestamp, timestampFromMicros } from '../store/micros';
import type { OrganizationRow } from '../store/schema';
import type { MemberRow } from '../store/users';

/** Returns the fields of an organization that are visible to anyone with a role in it. */
export function organizationSummaryMessage(row: OrganizationRow): Organization {
  return create(OrganizationSchema, {
    id: row.id,
    name: row.name,
    createdOn: timestampFromMicros(row.created_at),
    publicNamespace: row.public_namespace ?? '',
  });
}

/** Returns the wire format of an organization. */
export function organizationMessage(row: OrganizationRow): Organization {
  return create(OrganizationSchema, {
    ...organizationSummaryMessage(row),
    defaultRegion: row.default_region,
    ...(row.cid !== null && { cid: row.cid }),
    ...(row.default_fragments !== null && {
      defaultFragments: fromJsonString(FragmentImportListSchema, row.default_fragments),
    }),
    ...(row.allowed_login_methods !== null && {
      allowedLoginMethods: fromJsonString(AllowedLoginMethodsSchema, row.allowed_login_methods),
    }),
  });
}

/** Returns the short wire format of an organization, for lists by user. */
export function organizationDetailsMessage(row: OrganizationRow): OrgDetails {
  return create(OrgDetailsSchema, {
    orgId: row.id,
    orgName: row.name,
    ...(row.cid !== null && { orgCid: row.cid }),
    ...(row.public_namespace !== null && { publicNamespace: row.public_namespace }),
  });
}

/** Returns the wire format of a member. */
export function memberMessage(row: MemberRow): OrganizationMember {
  const lastLogin = optionalTimestamp(row.last_login);
  return create(OrganizationMemberSchema, {
    userId: row.id,
    emails: [row.email],
    dateAdded: timestampFromMicros(row.added_at),
    ...(lastLogin && { lastLogin }),
  });
}
