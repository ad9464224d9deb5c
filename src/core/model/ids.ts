declare const brand: unique symbol;

/** String type that prevents mixing different kinds of IDs. */
type Id<Name extends string> = string & { readonly [brand]: Name };

export type ConnectionId = Id<'connection'>;
export type OrganizationId = Id<'organization'>;
export type LocationId = Id<'location'>;
export type MachineId = Id<'machine'>;
export type PartId = Id<'part'>;
export type FragmentId = Id<'fragment'>;
export type UserId = Id<'user'>;
export type ApiKeyId = Id<'apiKey'>;
export type BinaryDataId = Id<'binaryData'>;
export type DatasetId = Id<'dataset'>;
/**
 * ID of a registry item: `namespace:name`, or `organization_id:name` if the organization has no
 * namespace.
 */
export type RegistryItemId = Id<'registryItem'>;
export type TrainingJobId = Id<'trainingJob'>;

// The only conversions from plain strings to IDs. Use them only for wire messages, URIs, and stored
// state.
export const connectionId = (value: string): ConnectionId => value as ConnectionId;
export const organizationId = (value: string): OrganizationId => value as OrganizationId;
export const locationId = (value: string): LocationId => value as LocationId;
export const machineId = (value: string): MachineId => value as MachineId;
export const partId = (value: string): PartId => value as PartId;
export const fragmentId = (value: string): FragmentId => value as FragmentId;
export const userId = (value: string): UserId => value as UserId;
export const apiKeyId = (value: string): ApiKeyId => value as ApiKeyId;
export const binaryDataId = (value: string): BinaryDataId => value as BinaryDataId;
export const datasetId = (value: string): DatasetId => value as DatasetId;
export const registryItemId = (value: string): RegistryItemId => value as RegistryItemId;
export const trainingJobId = (value: string): TrainingJobId => value as TrainingJobId;
