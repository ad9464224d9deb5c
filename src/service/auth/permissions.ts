import type { ResourceType, Role } from '../store/schema';

/** Role from the spec, or the role for a machine with its own secret. */
export type GrantRole = Role | 'machine';

/** Role and its scope: one resource and all resources inside it. */
export interface Grant {
  role: GrantRole;
  resourceType: ResourceType;
  resourceId: string;
  organizationId: string;
}
const OWNER = ['owner'] as const;
const MEMBERS = ['owner', 'operator'] as const;
const MEMBERS_AND_MACHINE = ['owner', 'operator', 'machine'] as const;
const OWNER_AND_MACHINE = ['owner', 'machine'] as const;

/**
 * Permission strings from the spec (part 3, CheckPermissions) and the roles that grant each of
 * them. Owners can do everything inside their resource; operators can read and control.
 */
const PERMISSIONS = {
  read_organization: { level: 'organization', roles: MEMBERS },
  write_organization: { level: 'organization', roles: OWNER },
  read_fragment: { level: 'organization', roles: MEMBERS },
  write_fragment: { level: 'organization', roles: OWNER },
  read_location: { level: 'location', roles: MEMBERS },
  write_location: { level: 'location', roles: OWNER },
  read_location_secret: { level: 'location', roles: OWNER },
  read_robot_secret: { level: 'robot', roles: OWNER },
  read_robot: { level: 'robot', roles: MEMBERS_AND_MACHINE },
  read_robot_config: { level: 'robot', roles: MEMBERS_AND_MACHINE },
  read_robot_logs: { level: 'robot', roles: MEMBERS },
  write_robot: { level: 'robot', roles: OWNER },
  control_robot: { level: 'robot', roles: MEMBERS },
  read_organization_data_management: { level: 'organization', roles: MEMBERS },
  read_location_data_management: { level: 'location', roles: MEMBERS },
  read_robot_data_management: { level: 'robot', roles: MEMBERS },
  write_organization_data_management: { level: 'organization', roles: OWNER },
  write_location_data_management: { level: 'location', roles: OWNER },
  write_robot_data_management: { level: 'robot', roles: OWNER_AND_MACHINE },
  read_robot_history: { level: 'robot', roles: MEMBERS },
  read_mapping_sessions: { level: 'location', roles: MEMBERS },
  create_maps: { level: 'location', roles: OWNER },
  write_private_registry_item: { level: 'organization', roles: OWNER },
  write_public_registry_item: { level: 'organization', roles: OWNER },
  read_private_registry_item: { level: 'organization', roles: MEMBERS },
  train_models: { level: 'organization', roles: OWNER },
  read_packages: { level: 'organization', roles: MEMBERS },
  write_packages: { level: 'organization', roles: OWNER },
  delete_packages: { level: 'organization', roles: OWNER },
  configure_database_user: { level: 'organization', roles: OWNER },
  get_database_connection: { level: 'organization', roles: MEMBERS },
  create_dataset: { level: 'organization', roles: OWNER },
  list_dataset: { level: 'organization', roles: MEMBERS },
  rename_dataset: { level: 'organization', roles: OWNER },
  delete_dataset: { level: 'organization', roles: OWNER },
} as const satisfies Record<string, PermissionRule>;

export type Permission = keyof typeof PERMISSIONS;
const RANK: Record<ResourceType, number> = { robot: 0, location: 1, organization: 2 };

/** Returns true if a string from a request is one of the spec's permissions. */
export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text);
}

/**
 * Returns true if a grant includes a permission. Assumes that the grant's resource is, or contains,
 * the requested resource. A role on a machine never grants permissions for a whole organization.
 */
export function grantsPermission(grant: Grant, permission: Permission): boolean {
  const rule: PermissionRule = PERMISSIONS[permission];
  return rule.roles.includes(grant.role) && RANK[grant.resourceType] >= RANK[rule.level];
}

/**
 * Returns true if a grant includes a permission on a location that is shared with the grant's
 * organization, or on the location's contents. Only a role on the whole organization is considered.
 * On the location, such a role grants an operator's permissions, which are to read and control.
 */
export function grantsPermissionByShare(grant: Grant, permission: Permission): boolean {
  const rule: PermissionRule = PERMISSIONS[permission];
  return (
    grant.resourceType === 'organization' &&
    rule.level !== 'organization' &&
    rule.roles.includes('operator') &&
    grantsPermission(grant, permission)
  );
}

interface PermissionRule {
  /** Lowest resource level on which a role grants the permission. */
  level: ResourceType;
  roles: readonly GrantRole[];
}
