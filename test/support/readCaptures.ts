import { timestampDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { type BinaryData, DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../src/gen/viam/app/dataset/v1/dataset_pb';
import { signInTransport } from '../../src/service/demo/demoClient';
import type { OpenFleet } from './loadedFleet';

/** Returns the captured data that an owner can see, without values that differ between loads. */
export async function readCaptures({ open, owner, app }: OpenFleet) {
  const transport = await signInTransport(open, { id: owner.apiKeyId, key: owner.apiKey });
  const data = createClient(DataService, transport);
  const { organizations } = await app.listOrganizations({});
  const readings: { organization: string; count: bigint }[] = [];
  const datasetNames: string[] = [];
  for (const { id, name } of organizations) {
    const filter = { organizationIds: [id] };
    const { count } = await data.tabularDataByFilter({ dataRequest: { filter }, countOnly: true });
    readings.push({ organization: name, count });
    const { datasets } = await createClient(DatasetService, transport).listDatasetsByOrganizationID(
      { organizationId: id },
    );
    datasetNames.push(...datasets.map((dataset) => dataset.name));
  }
  const newest = await data.tabularDataByFilter({ dataRequest: { limit: 1n, sortOrder: 1 } });
  const oldest = await data.tabularDataByFilter({ dataRequest: { limit: 1n, sortOrder: 2 } });
  const { data: items } = await data.binaryDataByFilter({
    dataRequest: { limit: 1000n },
    includeBinary: false,
  });
  return {
    readings,
    newest: newest.data.map(({ data: payload, timeRequested }) => ({ payload, timeRequested })),
    oldest: oldest.data.map(({ data: payload, timeRequested }) => ({ payload, timeRequested })),
    items: items.map(summarizeCapture),
    datasetNames: datasetNames.sort(),
  };
}

function summarizeCapture({ metadata }: BinaryData) {
  const capture = metadata?.captureMetadata;
  return {
    part: capture?.partName,
    component: capture?.componentName,
    method: capture?.methodName,
    mimeType: capture?.mimeType,
    at: metadata?.timeRequested && timestampDate(metadata.timeRequested),
    size: metadata?.fileSizeBytes,
    labels: metadata?.annotations?.bboxes.map(({ label }) => label),
    datasets: metadata?.datasetIds.length,
    ownTags: capture?.tags.filter((tag) => !tag.startsWith('SVC_DATASET_')),
  };
}
