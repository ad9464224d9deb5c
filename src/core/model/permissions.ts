import type { Role } from './access';
import type { ResourceTarget } from './resourceTarget';

/** The permissions of the spec (part 3, CheckPermissions) that decide what a person is offered. */
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

/** What the signed-in key may do on one resource. */
export type Granted = ReadonlySet<Permission>;

/** A resource that roles are held on, as the wire calls it. */
export interface RolePlace {
  readonly type: 'organization' | 'location' | 'robot';
  readonly id: string;
}

/** The kinds of resource whose rights differ; a part has those of its machine. */
export type RightsKind = ResourceTarget['kind'];

/** What a person may do with a resource, in the words that menus match. */
export type Right =
  | 'administer'
  | 'control'
  | 'readLogs'
  | 'readSecrets'
  /** Captured data: images, point clouds, files and readings. */
  | 'readData'
  | 'writeData'
  /** Training jobs of an organization: seeing them as well as submitting and ending them. */
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

/** An item may become public, and its versions are packages. */
const IN_REGISTRY: readonly Permission[] = [
  'write_private_registry_item',
  'write_public_registry_item',
  'write_packages',
  'delete_packages',
];

/** What is asked of each resource: what is decided on it and on everything inside it. */
export const PERMISSIONS_ON: Readonly<Record<RolePlace['type'], readonly Permission[]>> = {
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

/** Nothing stands in the way, or it is not known what does: then the service decides. */
export const EVERYTHING: Granted = new Set(PERMISSIONS_ON.organization);

export const NOTHING: Granted = new Set<Permission>();

/** A role confers these on whatever data was captured inside its resource. */
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

/** Menus need no `train`: they show what is trained on or with, which has `administer`. */
const RIGHTS: readonly Right[] = [
  'administer',
  'control',
  'readData',
  'readLogs',
  'readSecrets',
  'writeData',
];

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

/** Whether a key with these permissions on a resource of this kind has the right. */
export function hasRight(kind: RightsKind, granted: Granted, right: Right): boolean {
  const needed = NEEDED[kind][right];
  return needed?.every((permission) => granted.has(permission)) ?? false;
}

/** The rights of a key on a resource of this kind, as tokens of a `contextValue`. */
export function rightsOf(kind: RightsKind, granted: Granted): readonly Right[] {
  return RIGHTS.filter((right) => hasRight(kind, granted, right));
}

/**
 * Whether nothing inside needs to be asked about: a role counts for everything inside its resource
 * (spec part 3), so anyone who may do everything asked about there may do it further in.
 */
export function coversInside({ type }: RolePlace, granted: Granted): boolean {
  return PERMISSIONS_ON[type].every((permission) => granted.has(permission));
}

/** The resource whose roles decide about a target. */
export function rolePlaceOf(target: ResourceTarget): RolePlace {
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

/** The least role that gives a right on a target; the same role on what it is in does as well. */
export function roleNeededFor(target: ResourceTarget, right: Right): Role {
  const { type, id } = rolePlaceOf(target);
  return {
    name: OF_OPERATORS.has(right) ? 'operator' : 'owner',
    resourceType: type,
    resourceId: id,
  };
}
