import type { Role } from './access';
import type { ResourceTarget } from './resourceTarget';

/**
 * Permissions in the spec (part 3, CheckPermissions) that determine the actions that the UI offers.
 */
export type Permission =
  | 'write_organization'
  | 'write_fragment'
  | 'write_location'
  | 'write_robot'
  | 'control_robot'
  | 'read_robot_logs'
  | 'read_location_secret'
  | 'read_robot_secret'
  | 'read_robot_data_management'
  | 'write_robot_data_management'
  | 'create_dataset'
  | 'rename_dataset'
  | 'delete_dataset'
  | 'write_private_registry_item'
  | 'write_public_registry_item'
  | 'write_packages'
  | 'delete_packages'
  | 'train_models';

/** Mark of the permissions in a read-only connection, which withholds the rights to change anything. */
const READ_ONLY = 'read_only_connection';

/**
 * Permissions of the signed-in key on one resource, and whether its connection is read-only.
 */
export type Granted = ReadonlySet<Permission | typeof READ_ONLY>;

/** Resource to which roles apply, as named on the wire. */
export interface RoleScope {
  readonly type: 'organization' | 'location' | 'robot';
  readonly id: string;
}

/** Kinds of resources with different rights. A part has the rights of its machine. */
export type RightsKind = ResourceTarget['kind'];

/** A user's right on a resource, which menus use in their conditions. */
export type Right =
  | 'administer'
  /** View what only owners can view. Included in `administer`, and retained without it in a
   * read-only connection. */
  | 'inspect'
  | 'control'
  | 'readLogs'
  | 'readSecrets'
  /** View captured data: images, point clouds, files, and readings. */
  | 'readData'
  | 'writeData'
  /** View, submit, and cancel an organization's training jobs. */
  | 'train';

const IN_MACHINES: readonly Permission[] = [
  'write_robot',
  'control_robot',
  'read_robot_logs',
  'read_robot_secret',
  'read_robot_data_management',
  'write_robot_data_management',
];
const IN_LOCATIONS: readonly Permission[] = [
  'write_location',
  'read_location_secret',
  ...IN_MACHINES,
];

const IN_DATASETS: readonly Permission[] = ['create_dataset', 'rename_dataset', 'delete_dataset'];

/** Permissions for registry items. An item can become public, and its versions are packages. */
const IN_REGISTRY: readonly Permission[] = [
  'write_private_registry_item',
  'write_public_registry_item',
  'write_packages',
  'delete_packages',
];

/**
 * Permissions to check on each resource. They apply to the resource and to everything inside it.
 */
export const PERMISSIONS_ON: Readonly<Record<RoleScope['type'], readonly Permission[]>> = {
  organization: [
    'write_organization',
    'write_fragment',
    ...IN_DATASETS,
    ...IN_REGISTRY,
    'train_models',
    ...IN_LOCATIONS,
  ],
  location: IN_LOCATIONS,
  robot: IN_MACHINES,
};

/**
 * All permissions. Also used if the restrictions are unknown, because the service enforces them
 * anyway.
 */
export const EVERYTHING: ReadonlySet<Permission> = new Set(PERMISSIONS_ON.organization);

export const NOTHING: Granted = new Set<Permission>();

/** Permissions that a role grants for all data captured inside its resource. */
const ON_DATA = {
  readData: ['read_robot_data_management'],
  writeData: ['write_robot_data_management'],
} as const;
const ON_MACHINE = {
  ...ON_DATA,
  administer: ['write_robot'],
  control: ['control_robot'],
  readLogs: ['read_robot_logs'],
  readSecrets: ['read_robot_secret'],
} as const;

/**
 * Rights that menus need. `train` isn't included, because the menus for training belong to models
 * and datasets, which have `administer`.
 */
const RIGHTS: readonly Right[] = [
  'administer',
  'inspect',
  'control',
  'readData',
  'readLogs',
  'readSecrets',
  'writeData',
];

/** Rights to change something, which a key doesn't have in a read-only connection. */
const CHANGING: ReadonlySet<Right> = new Set<Right>(['administer', 'control', 'writeData']);

type Needs = Readonly<Partial<Record<Right, readonly Permission[]>>>;

const NEEDED: Readonly<Record<RightsKind, Needs>> = {
  organization: {
    ...ON_DATA,
    administer: ['write_organization'],
    train: ['train_models'],
    control: ['control_robot'],
    readSecrets: ['read_location_secret'],
  },
  location: {
    ...ON_DATA,
    administer: ['write_location'],
    control: ['control_robot'],
    readSecrets: ['read_location_secret'],
  },
  machine: ON_MACHINE,
  part: ON_MACHINE,
  fragment: { administer: ['write_fragment'] },
  dataset: { ...ON_DATA, administer: IN_DATASETS },
  registryItem: { administer: IN_REGISTRY },
};

/** Returns true if a key with these permissions on a resource of this kind has the right. */
export function hasRight(kind: RightsKind, granted: Granted, right: Right): boolean {
  if (isReadOnly(granted) && isChanging(right)) return false;
  const needed = NEEDED[kind][right === 'inspect' ? 'administer' : right];
  return needed?.every((permission) => granted.has(permission)) ?? false;
}

/** Returns true if a key needs the right only to change something. */
export function isChanging(right: Right): boolean {
  return CHANGING.has(right);
}

/** Returns true if the permissions are those in a read-only connection. */
export function isReadOnly(granted: Granted): boolean {
  return granted.has(READ_ONLY);
}

/** Returns the same permissions for a connection that is or isn't read-only. */
export function withReadOnly(granted: Granted, readOnly: boolean): Granted {
  if (isReadOnly(granted) === readOnly) return granted;
  const others = [...granted].filter((permission) => permission !== READ_ONLY);
  return new Set(readOnly ? [...others, READ_ONLY] : others);
}

/** Returns a key's rights on a resource of this kind, for use as tokens in a `contextValue`. */
export function getRights(kind: RightsKind, granted: Granted): readonly Right[] {
  // `administer` includes `inspect`.
  const isFull = hasRight(kind, granted, 'administer');
  return RIGHTS.filter(
    (right) => hasRight(kind, granted, right) && !(isFull && right === 'inspect'),
  );
}

/**
 * Returns true if the resources inside a resource don't have to be checked. A role applies to
 * everything inside its resource (spec part 3), so a key that has all checked permissions on the
 * resource also has them on the resources inside.
 */
export function coversInside({ type }: RoleScope, granted: Granted): boolean {
  return PERMISSIONS_ON[type].every((permission) => granted.has(permission));
}

/** Returns the resource whose roles apply to a target. */
export function toRoleScope(target: ResourceTarget): RoleScope {
  switch (target.kind) {
    case 'organization':
    case 'fragment':
    case 'dataset':
    case 'registryItem':
      return { type: 'organization', id: target.organizationId };
    case 'location':
      return { type: 'location', id: target.locationId };
    case 'machine':
    case 'part':
      return { type: 'robot', id: target.machineId };
  }
}

const OF_OPERATORS: ReadonlySet<Right> = new Set<Right>(['control', 'readLogs', 'readData']);

/** Returns the name of the minimum role that grants a right. */
export function getMinimumRole(right: Right): 'owner' | 'operator' {
  return OF_OPERATORS.has(right) ? 'operator' : 'owner';
}

/**
 * Returns the minimum role that grants a right on a target. The same role on a parent of the target
 * is also sufficient.
 */
export function roleNeededFor(target: ResourceTarget, right: Right): Role {
  const { type, id } = toRoleScope(target);
  return {
    name: getMinimumRole(right),
    resourceType: type,
    resourceId: id,
  };
}
