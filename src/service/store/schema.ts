import type { Generated, Selectable } from 'kysely';
import type { DatabaseUserSchema, DataSchema, LakeSchema, ReadingsSchema } from './data/dataSchema';
import type { LogSchema } from './logs/logSchema';
import type { Micros } from './micros';
import type { PackageSchema, RegistrySchema } from './registrySchema';
import type { TrainingSchema } from './training/trainingSchema';

/** Boolean, in the form that both databases store without driver support. */
export type Flag = 0 | 1;

export interface OrganizationsTable {
  id: string;
  name: string;
  created_at: Micros;
  public_namespace: string | null;
  default_region: string;
  cid: string | null;
  /** JSON representation of FragmentImportList. */
  default_fragments: string | null;
  /** JSON representation of AllowedLoginMethods. */
  allowed_login_methods: string | null;
  metadata: string;
}

export interface UsersTable {
  id: string;
  /** Email address in lowercase. */
  email: string;
  created_at: Micros;
  last_login: Micros | null;
}

export interface OrganizationMembersTable {
  organization_id: string;
  user_id: string;
  added_at: Micros;
}

export interface LocationsTable {
  id: string;
  organization_id: string;
  parent_id: string | null;
  name: string;
  created_at: Micros;
  region: string;
  metadata: string;
}

export interface LocationSharesTable {
  location_id: string;
  organization_id: string;
}

export interface MachinesTable {
  id: string;
  location_id: string;
  name: string;
  created_at: Micros;
  metadata: string;
}

export interface PartsTable {
  id: string;
  machine_id: string;
  name: string;
  is_main: Flag;
  /** Config exactly as it was received. */
  config_json: string;
  created_at: Micros;
  last_updated: Micros;
  last_access: Micros | null;
  restart_requested_at: Micros | null;
  /**
   * Time when the machine received the restart request. Both the request and this time are cleared
   * at the part's next sign-in.
   */
  restart_told_at: Generated<Micros | null>;
  metadata: string;
}

/** Table of the configs that parts have fetched and run, one row per part. */
export interface ConfigReportsTable {
  part_id: string;
  fetched_revision: string;
  /** `last_updated` of the part whose config was fetched. */
  fetched_version: Micros;
  fetched_at: Micros;
  /** Time between the last two fetches; null after the first one. */
  fetch_interval: Micros | null;
  /** Revision that the machine reported; null if it has not reported any. */
  applied_revision: string | null;
  applied_at: Micros | null;
}

/** Table of the fragments in the config that a part has fetched, including nested ones. */
export interface FetchedFragmentsTable {
  part_id: string;
  fragment_id: string;
  revision: string;
  is_pinned: Flag;
}

/** Table of fragments that a part's config refers to directly. */
export interface PartFragmentsTable {
  part_id: string;
  fragment_id: string;
}

/** Table of fragments that a fragment's config refers to directly. */
export interface NestedFragmentsTable {
  parent_id: string;
  child_id: string;
}

/** Table of previous versions of parts, one row per edit. */
export interface PartRevisionsTable {
  sequence: Generated<number>;
  part_id: string;
  edited_at: Micros;
  editor_type: number;
  editor_value: string;
  old_name: string;
  old_config_json: string;
  old_last_updated: Micros;
  old_is_main: Flag;
}

export interface FragmentsTable {
  id: string;
  organization_id: string;
  name: string;
  config_json: string;
  visibility: number;
  revision: string;
  created_at: Micros;
  last_updated: Micros;
}

/** Table of previous versions of fragments, one row per edit. */
export interface FragmentRevisionsTable {
  sequence: Generated<number>;
  fragment_id: string;
  edited_at: Micros;
  editor_type: number;
  editor_value: string;
  old_name: string;
  old_config_json: string;
  old_visibility: number;
  old_revision: string;
  old_last_updated: Micros;
}

/** Table of machine secrets. The service can return them later to anyone with read permission. */
export interface SecretsTable {
  id: string;
  /**
   * ID of the owner if it is a location. Either this ID or the part ID is set. Deleting the owner
   * also deletes the secret.
   */
  location_id: string | null;
  part_id: string | null;
  /** Encrypted secret, as returned by `SecretCipher`. */
  encrypted_secret: string;
  created_at: Micros;
}

export interface ApiKeysTable {
  id: string;
  /**
   * Hexadecimal SHA-256 hash of the key. A slow hash would not improve security, because keys are
   * random.
   */
  key_hash: string;
  name: string;
  created_at: Micros;
}

export type IdentityType = 'api-key' | 'user';
export type Role = 'owner' | 'operator';
export const RESOURCE_TYPES = ['organization', 'location', 'robot'] as const;

/** Types of resources on which roles can be granted. */
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export interface AuthorizationsTable {
  organization_id: string;
  identity_type: IdentityType;
  identity_id: string;
  role: Role;
  resource_type: ResourceType;
  resource_id: string;
  /** ID of the resource if it is a location. Deleting the location also deletes the role. */
  location_id: string | null;
  machine_id: string | null;
}

export interface OrganizationInvitesTable {
  organization_id: string;
  /** Email address in lowercase. */
  email: string;
  created_at: Micros;
  /** 1 if the next sign-in with the address accepts the invitation, without an email. */
  applies_at_login: Flag;
}

/** Table of the roles that an invitation grants when it is accepted. */
export interface InviteAuthorizationsTable {
  organization_id: string;
  email: string;
  role: Role;
  resource_type: ResourceType;
  resource_id: string;
  /**
   * ID of the resource if it is a location. Deleting the location also deletes the invited role.
   */
  location_id: string | null;
  machine_id: string | null;
}

/** One-time action that a link or a form on a page allows. */
export type LinkPurpose = 'invite' | 'sign-in' | 'create-key';

export interface LinkTokensTable {
  /** Hexadecimal SHA-256 hash of the token. */
  token_hash: string;
  purpose: LinkPurpose;
  email: string;
  /** ID of the organization. Set only for invitations. */
  organization_id: string | null;
  created_at: Micros;
  expires_at: Micros;
  used_at: Micros | null;
}

/** Table of the times when sign-in links were last sent to addresses. */
export interface SignInMessagesTable {
  email: string;
  sent_at: Micros;
}

/**
 * Table of keys that users have created for themselves. They are deleted with the user's
 * membership.
 */
export interface UserApiKeysTable {
  api_key_id: string;
  user_id: string;
}

/** Table of the service's internal values, such as the key that signs access tokens. */
export interface ServiceSettingsTable {
  name: string;
  value: string;
}

export interface FleetSchema
  extends
    DataSchema,
    ReadingsSchema,
    LakeSchema,
    DatabaseUserSchema,
    LogSchema,
    RegistrySchema,
    PackageSchema,
    TrainingSchema {
  organizations: OrganizationsTable;
  users: UsersTable;
  organization_members: OrganizationMembersTable;
  locations: LocationsTable;
  location_shares: LocationSharesTable;
  machines: MachinesTable;
  parts: PartsTable;
  part_revisions: PartRevisionsTable;
  part_fragments: PartFragmentsTable;
  config_reports: ConfigReportsTable;
  fetched_fragments: FetchedFragmentsTable;
  nested_fragments: NestedFragmentsTable;
  fragments: FragmentsTable;
  fragment_revisions: FragmentRevisionsTable;
  secrets: SecretsTable;
  api_keys: ApiKeysTable;
  authorizations: AuthorizationsTable;
  organization_invites: OrganizationInvitesTable;
  invite_authorizations: InviteAuthorizationsTable;
  link_tokens: LinkTokensTable;
  sign_in_messages: SignInMessagesTable;
  user_api_keys: UserApiKeysTable;
  service_settings: ServiceSettingsTable;
}

export type OrganizationRow = Selectable<OrganizationsTable>;
export type UserRow = Selectable<UsersTable>;
export type LocationRow = Selectable<LocationsTable>;
export type MachineRow = Selectable<MachinesTable>;
export type PartRow = Selectable<PartsTable>;
export type ConfigReportRow = Selectable<ConfigReportsTable>;
export type PartRevisionRow = Selectable<PartRevisionsTable>;
export type FragmentRow = Selectable<FragmentsTable>;
export type FragmentRevisionRow = Selectable<FragmentRevisionsTable>;
export type OrganizationInviteRow = Selectable<OrganizationInvitesTable>;
export type LinkTokenRow = Selectable<LinkTokensTable>;
export type SecretRow = Selectable<SecretsTable>;
/** Role assignment. */
export type AuthorizationRow = Omit<AuthorizationsTable, 'location_id' | 'machine_id'>;
