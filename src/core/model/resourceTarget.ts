import { type AccessTarget, accessTargetId } from './accessTarget';
import type {
  ConnectionId,
  DatasetId,
  FragmentId,
  LocationId,
  MachineId,
  OrganizationId,
  PartId,
  RegistryItemId,
  TrainingJobId,
} from './ids';
import type { RegistryItemType } from './registryItem';

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

/** Module, model, training script, or another package of an organization. */
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

/** Training job, which isn't part of a tree. Its permissions are those of its organization. */
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

/** Resource of the tree with its own identity. */
export type FleetTarget = ResourceTarget | AccessTarget;

export type ResourceKind = ResourceTarget['kind'];

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
