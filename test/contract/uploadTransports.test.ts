import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { Code, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import {
  DataSyncService,
  FileUploadRequestSchema,
} from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { dataApi } from '../publicClient/publicClient';
import { signIn } from '../support/serviceClients';
import { waitUntil } from '../support/waitUntil';
import { newRover, openPublicFleet, type PublicFleet } from './publicFleet';

const MEBIBYTE = 1024 * 1024;
const LARGE_BYTES = 62 * MEBIBYTE;
const TIMEOUT_MS = 120_000;

describe('uploads over HTTP/2', function () {
  this.timeout(TIMEOUT_MS);
  let blobsDir: string;
  let fleet: PublicFleet;
  let partId: string;
  let token: string;

  before(async () => {
    blobsDir = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    fleet = await openPublicFleet('grpc', { blobsDir });
    partId = (await newRover(fleet)).part.id;
    token = `Bearer ${await signIn({ url: fleet.url, ...fleet.owner })}`;
  });

  after(async () => {
    await fleet.close();
    await rm(blobsDir, { recursive: true });
  });

  const files = async (): Promise<number> => {
    const entries = await readdir(blobsDir, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };

  it('by the public client are read, tagged, boxed, grouped, and deleted', async () => {
    const { dataClient } = fleet.client;
    const pixels = Uint8Array.from(Buffer.from('pixels'));
    const at = new Date('2026-01-02T03:04:05.006Z');
    const captured = await dataClient.binaryDataCaptureUpload(
      pixels,
      partId,
      'camera',
      'cam',
      'ReadImage',
      '.png',
      [at, at],
    );
    const filed = await dataClient.fileUpload(pixels, partId, {
      fileName: 'a',
      fileExtension: '.txt',
    });
    const [item] = await dataClient.binaryDataByIds([captured]);
    assert.equal(Buffer.from(item?.binary ?? []).toString(), 'pixels');
    assert.equal(item?.metadata?.captureMetadata?.mimeType, 'image/png');
    assert.deepEqual(item.metadata.timeRequested?.toDate(), at);
    const page = await dataClient.binaryDataByFilter(undefined, 50, undefined, '', true);
    assert.equal(page.data.length, 2);

    await dataClient.addTagsToBinaryDataByIds(['seen'], [captured, filed]);
    assert.deepEqual(await dataClient.tagsByFilter(), ['seen']);
    assert.equal(await dataClient.removeTagsFromBinaryDataByIds(['seen'], [filed]), 1n);
    const box = await dataClient.addBoundingBoxToImageById(captured, 'cup', 0, 0, 0.5, 1);
    assert.deepEqual(await dataClient.boundingBoxLabelsByFilter(), ['cup']);
    await dataClient.removeBoundingBoxFromImageById(captured, box);
    const { organizationId } = item.metadata.captureMetadata;
    const datasetId = await dataClient.createDataset('cups', organizationId);
    await dataClient.addBinaryDataToDatasetByIds([captured], datasetId);
    assert.deepEqual(await dataClient.tagsByFilter(), [`SVC_DATASET_${datasetId}`, 'seen']);
    await dataClient.removeBinaryDataFromDatasetByIds([captured], datasetId);
    await dataClient.deleteDataset(datasetId);
    assert.equal(await files(), 1, 'the same bytes are kept once');
    assert.equal(await dataClient.deleteBinaryDataByIds([captured, filed]), 2n);
    assert.equal(await files(), 0, 'the disk is freed');
  });

  it('by the public client are changed by filter, and their datasets are listed and renamed', async () => {
    const { dataClient } = fleet.client;
    const filed = await dataClient.fileUpload(Uint8Array.of(1), partId, { fileName: 'a' });
    const [item] = await dataClient.binaryDataByIds([filed], false);
    const organizationId = item?.metadata?.captureMetadata?.organizationId ?? '';
    const all = new dataApi.Filter({ organizationIds: [organizationId] });
    await dataClient.addTagsToBinaryDataByFilter(['kept', 'seen'], all);
    assert.equal(await dataClient.removeTagsFromBinaryDataByFilter(['seen'], all), 1n);
    assert.deepEqual(await dataClient.tagsByFilter(all), ['kept']);

    const datasetId = await dataClient.createDataset('cups', organizationId);
    await dataClient.addBinaryDataToDatasetByIds([filed], datasetId);
    await dataClient.renameDataset(datasetId, 'mugs');
    const [byId] = await dataClient.listDatasetsByIds([datasetId]);
    const ofOrganization = await dataClient.listDatasetsByOrganizationID(organizationId);
    assert.deepEqual([byId?.name, ofOrganization.map(({ id }) => id)], ['mugs', [datasetId]]);
    const inDataset = new dataApi.Filter({ datasetId });
    const { count } = await dataClient.binaryDataByFilter(
      inDataset,
      50,
      undefined,
      '',
      false,
      true,
    );
    assert.equal(count, 1n);
    await dataClient.deleteDataset(datasetId);
    assert.deepEqual(await dataClient.tagsByFilter(all), ['kept']);

    await assert.rejects(dataClient.deleteBinaryDataByFilter(new dataApi.Filter()), /organization/);
    assert.equal(await dataClient.deleteBinaryDataByFilter(all), 1n);
    assert.equal(await files(), 0);
  });

  it('accept a whole file of 62 MiB in one message, which is readable at its URI', async () => {
    const sync = createClient(DataSyncService, createGrpcTransport({ baseUrl: fleet.url }));
    const data = new Uint8Array(LARGE_BYTES).fill(7);
    async function* whole() {
      yield metadata();
      yield await Promise.resolve(
        create(FileUploadRequestSchema, {
          uploadPacket: { case: 'fileContents', value: { data } },
        }),
      );
    }
    const headers = { authorization: token };
    const { binaryDataId } = await sync.fileUpload(whole(), { headers });
    await assert.rejects(fleet.client.dataClient.binaryDataByIds([binaryDataId]), /metadata\.uri/);
    const uri = `${fleet.url}/binary-data/${binaryDataId}`;
    const answer = await (await fetch(uri, { headers })).bytes();
    assert.equal(Buffer.compare(answer, data), 0);
    await fleet.client.dataClient.deleteBinaryDataByIds([binaryDataId]);
  });

  it('that the client aborts after a whole message leave nothing', async () => {
    const sync = createClient(DataSyncService, createGrpcTransport({ baseUrl: fleet.url }));
    const abort = new AbortController();
    async function* half() {
      yield metadata();
      yield create(FileUploadRequestSchema, {
        uploadPacket: { case: 'fileContents', value: { data: new Uint8Array(MEBIBYTE) } },
      });
      await waitUntil(async () => (await files()) > 0);
      abort.abort();
    }
    const options = { headers: { authorization: token }, signal: abort.signal };
    await assert.rejects(sync.fileUpload(half(), options));
    assert.ok(abort.signal.aborted);
    await waitUntil(async () => (await files()) === 0);
    const { count } = await fleet.client.dataClient.binaryDataByFilter();
    assert.equal(count, 0n);
  });

  it('that the client does not continue end at their deadline and leave nothing', async () => {
    const sync = createClient(DataSyncService, createGrpcTransport({ baseUrl: fleet.url }));
    const over = Promise.withResolvers<undefined>();
    async function* half() {
      yield metadata();
      await over.promise;
    }
    // The client itself has no deadline, and waits for the service's response.
    const headers = { authorization: token, 'grpc-timeout': '100m' };
    await assert.rejects(sync.fileUpload(half(), { headers }), { code: Code.DeadlineExceeded });
    over.resolve(undefined);
    await waitUntil(async () => (await files()) === 0);
  });

  function metadata() {
    return create(FileUploadRequestSchema, {
      uploadPacket: { case: 'metadata', value: { partId } },
    });
  }
});
