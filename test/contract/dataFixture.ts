import assert from 'node:assert/strict';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { type Client, createClient, type Transport } from '@connectrpc/connect';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../src/gen/viam/app/dataset/v1/dataset_pb';
import {
  DataSyncService,
  DataType,
  type SensorMetadataSchema,
  type UploadMetadataSchema,
} from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { bearerTransport, type Deployment, signInToken } from './deployment';
import { type Fleet, newMachine, type NewMachine, newOrganization } from './fleetFixture';
import { role, type RoleId } from './permissions/permissionRequests';

/** The clients with which one caller accesses captured data. */
export interface DataClients {
  token: string;
  sync: Client<typeof DataSyncService>;
  data: Client<typeof DataService>;
  datasets: Client<typeof DatasetService>;
}

/** Returns the clients for captured data that use the given transport. */
export function dataClientsOver(transport: Transport, token = ''): DataClients {
  return {
    token,
    sync: createClient(DataSyncService, transport),
    data: createClient(DataService, transport),
    datasets: createClient(DatasetService, transport),
  };
}

function dataClients(deployment: Deployment, token: string): DataClients {
  return dataClientsOver(bearerTransport(deployment, token), token);
}

/** A machine in a separate organization, with the clients of the organization's owner. */
export interface Lab extends NewMachine, DataClients {
  organizationId: string;
}

export async function newLab(fleet: Fleet, name = 'arm'): Promise<Lab> {
  const { id: organizationId } = await newOrganization(fleet.owner);
  const machine = await newMachine(fleet.owner, organizationId, name);
  const clients = await dataClientsWithRole(fleet, 'organization_owner', organizationId);
  return { organizationId, ...machine, ...clients };
}

/** Returns the clients for captured data that are authenticated with a new key with one role. */
export async function dataClientsWithRole(
  { deployment, owner }: Fleet,
  roleId: RoleId,
  resourceId: string,
): Promise<DataClients> {
  const key = await owner.createKey({ authorizations: [role(roleId, resourceId)] });
  return dataClients(deployment, await signInToken(deployment, key));
}

/** Returns the clients for captured data that are authenticated with a token. */
export function createDataClients({ deployment }: Fleet, token: string): DataClients {
  return dataClients(deployment, token);
}

type Metadata = MessageInitShape<typeof UploadMetadataSchema>;
type Sensor = MessageInitShape<typeof SensorMetadataSchema>;

/**
 * Uploads one binary item whose capture time is `second` seconds after the Unix epoch. Returns its
 * ID.
 */
export async function capture(
  lab: Pick<Lab, 'sync' | 'part'>,
  second: number,
  { binary = Buffer.from('x'), ...metadata }: Metadata & { binary?: Uint8Array } = {},
  sensor: Sensor = {},
): Promise<string> {
  const time = timestampFromMs(second * 1000);
  const { binaryDataId } = await lab.sync.dataCaptureUpload({
    metadata: {
      partId: lab.part.id,
      componentType: 'rdk:component:camera',
      componentName: 'cam',
      methodName: 'ReadImage',
      fileExtension: '.jpg',
      ...metadata,
      type: DataType.BINARY_SENSOR,
    },
    sensorContents: [
      {
        metadata: { timeRequested: time, timeReceived: time, ...sensor },
        data: { case: 'binary', value: binary },
      },
    ],
  });
  assert.ok(binaryDataId);
  return binaryDataId;
}

/** Returns IDs in the format of older clients, for requests that specify more than one item. */
export function olderIds(...ids: string[]): { binaryIds: { fileId: string }[] } {
  return { binaryIds: ids.map((fileId) => ({ fileId })) };
}
