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

/** What a command acts on: enough to find the resource again and to name it to a person. */
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

/** A dataset. What may be done with it is decided on its organization. */
export interface DatasetTarget {
  readonly kind: 'dataset';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly datasetId: DatasetId;
  readonly name: string;
}

/** A module, a model, a training script or another package of an organization. */
export interface RegistryItemTarget {
  readonly kind: 'registryItem';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly itemId: RegistryItemId;
  readonly itemType: RegistryItemType;
  readonly name: string;
}

/** A version of a registry item. Commands that act on items take it for its item. */
export interface RegistryVersionTarget extends RegistryItemTarget {
  readonly version: string;
  /** One of its archives, such as `linux/arm64`; absent for the whole version. */
  readonly platform?: string | undefined;
}

/** A training job. It stands in no tree; what may be done with it is decided on its organization. */
export interface TrainingJobTarget {
  readonly kind: 'trainingJob';
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly jobId: TrainingJobId;
  /** Of the model that it makes. */
  readonly name: string;
  /** Of that model. */
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

/** Whatever stands in the tree with an identity of its own. */
export type FleetTarget = ResourceTarget | AccessTarget;

export type ResourceKind = ResourceTarget['kind'];

/** The id of the resource itself, as text. */
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
