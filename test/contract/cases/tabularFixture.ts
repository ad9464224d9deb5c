import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  DataType,
  type UploadMetadataSchema,
} from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { signInAsPart } from '../deployment';
import { type DataClients, createDataClients, dataClientsWithRole } from '../dataFixture';
import { type Fleet, newMachine, type NewMachine, newOrganization } from '../fleetFixture';

/** A machine in a separate organization, with the clients of the organization's owner. */
export interface Capturer extends NewMachine, DataClients {
  organizationId: string;
  partId: string;
}

/** A reading with its capture time. */
export interface Reading {
  at: Date;
  values: JsonObject;
}

const START = Date.parse('2026-02-01T00:00:00.000Z');
const SECOND = 1000;

/** Returns the time that is a number of seconds after the start of the tests' readings. */
export function second(count: number): Date {
  return new Date(START + count * SECOND);
}

/** Returns one reading per second. The values count up. */
export function counting(from: number, to: number): Reading[] {
  return Array.from({ length: to - from }, (_, index) => ({
    at: second(from + index),
    values: { readings: { n: from + index } },
  }));
}

export async function newCapturer(fleet: Fleet, name = 'arm'): Promise<Capturer> {
  const { id: organizationId } = await newOrganization(fleet.owner);
  return capturerIn(fleet, organizationId, name);
}

/** Creates a machine in an existing organization. */
export async function capturerIn(
  fleet: Fleet,
  organizationId: string,
  name = 'arm',
): Promise<Capturer> {
  const machine = await newMachine(fleet.owner, organizationId, name);
  const clients = await dataClientsWithRole(fleet, 'organization_owner', organizationId);
  return { ...machine, ...clients, organizationId, partId: machine.part.id };
}

/** Returns the clients of a machine that has signed in with the secret of its part. */
export async function machineClients(fleet: Fleet, { part }: NewMachine): Promise<DataClients> {
  const accessToken = await signInAsPart(fleet.deployment, part);
  return createDataClients(fleet, accessToken);
}

/** Returns the metadata for uploading `thermometer` readings. */
export function thermometer(
  partId: string,
  more: MessageInitShape<typeof UploadMetadataSchema> = {},
): MessageInitShape<typeof UploadMetadataSchema> {
  return {
    partId,
    componentType: 'rdk:component:sensor',
    componentName: 'thermometer',
    methodName: 'Readings',
    type: DataType.TABULAR_SENSOR,
    ...more,
  };
}

/** Returns the fields that identify `thermometer` readings in requests. */
export function ofThermometer(partId: string) {
  return {
    partId,
    resourceName: 'thermometer',
    resourceSubtype: 'rdk:component:sensor',
    methodName: 'Readings',
  };
}

/** Uploads `thermometer` readings in one call and returns the ID of the upload. */
export async function upload(
  { sync }: Pick<DataClients, 'sync'>,
  partId: string,
  readings: readonly Reading[],
  more: MessageInitShape<typeof UploadMetadataSchema> = {},
): Promise<string> {
  const { fileId } = await sync.dataCaptureUpload({
    metadata: thermometer(partId, more),
    sensorContents: readings.map(({ at, values }) => ({
      metadata: { timeRequested: timestampFromDate(at), timeReceived: timestampFromDate(at) },
      data: { case: 'struct', value: values },
    })),
  });
  return fileId;
}
