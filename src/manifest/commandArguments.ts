import type { RevisionKey } from '../core/documents/revisionList';
import type {
  DatasetTarget,
  FleetTarget,
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
  PartTarget,
  RegistryItemTarget,
  RegistryVersionTarget,
  ResourceTarget,
  TrainingJobTarget,
} from '../core/model/resourceTarget';
import type { QueryLanguage } from '../core/model/query';

/** Document, identified by its URI or by a number in a message. */
export type DocumentArgument = object | number;

/** Change to the version that an entry in an open config uses. */
export interface VersionChange {
  /** URI of the config. */
  readonly document: string;
  /** Path of the entry, such as `modules`, `0`. */
  readonly entry: readonly (string | number)[];
  readonly kind: 'fragment' | 'module';
  /** ID of the fragment or module, to find the entry again if it has moved. */
  readonly id: string;
  /** Version of the entry before the change. */
  readonly from: string;
  readonly version: string;
}

/** Version of a document and its display name, such as its time. */
export interface RevisionArgument {
  readonly key: RevisionKey;
  readonly label: string;
  /** Time of the version, formatted for display; absent for the first version. */
  readonly time?: string | undefined;
}

/** Clicked resource, and the whole selection if more than one item is selected. */
export type Selection = [clicked?: ResourceTarget, selected?: readonly FleetTarget[]];

/** Resource whose captured data can be browsed. */
export type BrowsableTarget =
  | OrganizationTarget
  | LocationTarget
  | MachineTarget
  | PartTarget
  | DatasetTarget;

/** Resource whose readings can be queried. */
export type QueryableTarget = OrganizationTarget | LocationTarget | MachineTarget | PartTarget;

/**
 * Target for showing an organization's training jobs. If the target is a job, that job is selected.
 */
export type ShowableTraining = OrganizationTarget | DatasetTarget | TrainingJobTarget;

/**
 * Target for showing a registry item's page. For a model version, the page shows that version's
 * metrics.
 */
export type ShowableRegistryItem = RegistryItemTarget | RegistryVersionTarget;

/** Resource on which members and API keys have roles. */
export type RoleScopeTarget = OrganizationTarget | LocationTarget | MachineTarget;

/** Query to insert into an organization's query panel. */
export interface InitialQuery {
  readonly organization: OrganizationTarget;
  readonly language: QueryLanguage;
  readonly text: string;
}
