import type {
  ApiKeyId,
  ConnectionId,
  DatasetId,
  FragmentId,
  LocationId,
  MachineId,
  OrganizationId,
  PartId,
  RegistryItemId,
  TrainingJobId,
  UserId,
} from './ids';
import type { RegistryItem, RegistryItemType } from './registryItem';
import type { IdentityType, Role } from './access';
import type { TrainingJob } from './trainingJob';

/**
 * Target of a command: the data needed to find the resource again and to identify it to the user.
 */
export interface OrganizationTarget {
  readonly kind: 'organization';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly name: string;
}

export interface LocationTarget {
  readonly kind: 'location';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly locationId: LocationId;
  readonly name: string;
}

export interface MachineTarget {
  readonly kind: 'machine';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly locationId: LocationId;
  readonly machineId: MachineId;
  readonly name: string;
}

export interface PartTarget {
  readonly kind: 'part';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly locationId: LocationId;
  readonly machineId: MachineId;
  readonly machineName: string;
  readonly partId: PartId;
  readonly name: string;
}

export interface FragmentTarget {
  readonly kind: 'fragment';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly fragmentId: FragmentId;
  readonly name: string;
}

/** Dataset, which has the permissions of its organization. */
export interface DatasetTarget {
  readonly kind: 'dataset';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly datasetId: DatasetId;
  readonly name: string;
}

/** Module, model, training script, or another package that belongs to an organization. */
export interface RegistryItemTarget {
  readonly kind: 'registryItem';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly itemId: RegistryItemId;
  readonly itemType: RegistryItemType;
  readonly name: string;
}

/** Version of a registry item. Commands for items apply to its item. */
export interface RegistryVersionTarget extends RegistryItemTarget {
  readonly version: string;
  /**
   * Platform of one of the version's archives, such as `linux/arm64`; absent for the whole version.
   */
  readonly platform?: string | undefined;
}

/** Training job, which isn't part of a tree. It has the permissions of its organization. */
export interface TrainingJobTarget {
  readonly kind: 'trainingJob';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly jobId: TrainingJobId;
  /** Name of the model that the job produces. */
  readonly name: string;
  /** Version of the model that the job produces. */
  readonly version: string;
}

export type ResourceTarget =
  | OrganizationTarget
  | LocationTarget
  | MachineTarget
  | PartTarget
  | FragmentTarget
  | DatasetTarget
  | RegistryItemTarget;

/** Resource in the tree with its own identity. */
export type FleetTarget = ResourceTarget | AccessTarget;

export type ResourceKind = ResourceTarget['kind'];

/** All kinds of resources. */
export const RESOURCE_KINDS: readonly ResourceKind[] = [
  'organization',
  'location',
  'machine',
  'part',
  'fragment',
  'dataset',
  'registryItem',
];

/** Returns the ID of the target's own resource as text. */
export function targetId(target: FleetTarget): string {
  switch (target.kind) {
    case 'organization':
      return target.organizationId;
    case 'location':
      return target.locationId;
    case 'machine':
      return target.machineId;
    case 'part':
      return target.partId;
    case 'fragment':
      return target.fragmentId;
    case 'dataset':
      return target.datasetId;
    case 'registryItem':
      return target.itemId;
    default:
      return accessTargetId(target);
  }
}

/** Member of an organization, as passed to commands and nodes. The name is the email address. */
export interface MemberTarget {
  readonly kind: 'member';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly name: string;
}

/** Invitation that is still pending. */
export interface InviteTarget {
  readonly kind: 'invite';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly name: string;
}

export interface ApiKeyTarget {
  readonly kind: 'apiKey';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly keyId: ApiKeyId;
  readonly name: string;
}

/** Role of a member, a key, or a pending invitation. */
export interface RoleTarget {
  readonly kind: 'role';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly holder: RoleHolder;
  readonly role: Role;
  /** Name of the resource to which the role applies. */
  readonly name: string;
}

export interface RoleHolder {
  readonly type: IdentityType | 'invite';
  /** ID of the holder; the email address for an invitation. */
  readonly id: UserId | ApiKeyId | string;
  readonly name: string;
}

/** Resources for access control: holders of roles, and the roles themselves. */
export type AccessTarget = MemberTarget | InviteTarget | ApiKeyTarget | RoleTarget;

/** Members and keys, whose roles can be added, changed, and removed individually. */
export type IdentityTarget = MemberTarget | ApiKeyTarget;

/** Returns the ID of a target, which is unique within its organization and kind. */
export function accessTargetId(target: AccessTarget): string {
  switch (target.kind) {
    case 'member':
      return target.userId;
    case 'invite':
      return target.email;
    case 'apiKey':
      return target.keyId;
    case 'role':
      return `${target.holder.id}/${target.role.resourceType}_${target.role.name}/${target.role.resourceId}`;
  }
}

type CommandTarget = ResourceTarget | TrainingJobTarget;

/**
 * Returns true if the argument from a menu or another command is a target for a resource of this
 * kind.
 */
export function isTargetOf<Kind extends CommandTarget['kind']>(
  kind: Kind,
  argument: object | undefined,
): argument is Extract<CommandTarget, { readonly kind: Kind }> {
  return argument !== undefined && 'kind' in argument && argument.kind === kind;
}

/** Returns the target that commands receive for a registry item. */
export function registryItemTarget(
  connectionId: ConnectionId,
  { id, organizationId, type, name }: Pick<RegistryItem, 'id' | 'organizationId' | 'type' | 'name'>,
): RegistryItemTarget {
  return {
    kind: 'registryItem',
    connectionId,
    organizationId,
    itemId: id,
    itemType: type,
    name,
  };
}

/** Returns the target that commands receive for a training job. */
export function trainingJobTarget(
  connectionId: ConnectionId,
  {
    id,
    organizationId,
    modelName,
    modelVersion,
  }: Pick<TrainingJob, 'id' | 'organizationId' | 'modelName' | 'modelVersion'>,
): TrainingJobTarget {
  return {
    kind: 'trainingJob',
    connectionId,
    organizationId,
    jobId: id,
    name: modelName,
    version: modelVersion,
  };
}
