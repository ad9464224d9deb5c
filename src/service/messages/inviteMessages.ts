import { create } from '@bufbuild/protobuf';
import {
  type OrganizationInvite,
  OrganizationInviteSchema,
} from '../../gen/viam/app/v1/organization_pb';
import type { Invite } from '../store/invites';
import { timestampFromMicros } from '../store/micros';
import { authorizationMessage } from './authorizationMessages';

/** Returns the wire format of a pending invitation, whose roles have not been granted yet. */
export function inviteMessage(invite: Invite): OrganizationInvite {
  return create(OrganizationInviteSchema, {
    organizationId: invite.organization_id,
    email: invite.email,
    createdOn: timestampFromMicros(invite.created_at),
    authorizations: invite.roles.map((role) =>
      authorizationMessage({
        ...role,
        organization_id: invite.organization_id,
        identity_type: 'user',
        identity_id: '',
      }),
    ),
  });
}
