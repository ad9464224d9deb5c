import type { MessageInitShape } from '@bufbuild/protobuf';
import type { QueryService } from '../../../src/gen/fleetwright/query/v1/query_pb';
import type { DataService } from '../../../src/gen/viam/app/data/v1/data_pb';
import type { DatasetService } from '../../../src/gen/viam/app/dataset/v1/dataset_pb';
import { type DataSyncService, DataType } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import type { Resources } from './permissionResources';

type Methods = (typeof DataService &
  typeof DatasetService &
  typeof DataSyncService &
  typeof QueryService)['method'];
type Requests = {
  readonly [Name in keyof Methods]?: (
    resources: Resources,
  ) => MessageInitShape<Methods[Name]['input']>;
};

const NEW = 'new-name';
const items = ({ binaryDataId }: Resources) => ({ binaryDataIds: [binaryDataId] });
const selected = ({ organizationId }: Resources) => ({
  filter: { organizationIds: [organizationId] },
});
const metadata = ({ mainPartId }: Resources) => ({
  partId: mainPartId,
  type: DataType.BINARY_SENSOR,
});
const readings = ({ mainPartId }: Resources) => ({
  partId: mainPartId,
  resourceName: 'thermometer',
  resourceSubtype: 'sensor',
  methodName: 'Readings',
});
const members = (r: Resources) => ({ ...items(r), datasetId: r.datasetId });

/** One valid request for every supported RPC on captured data; for streams, the first message. */
export const DATA_REQUESTS: Requests = {
  dataCaptureUpload: (r) => ({
    metadata: metadata(r),
    sensorContents: [{ data: { case: 'binary', value: Buffer.from('x') } }],
  }),
  fileUpload: (r) => ({ uploadPacket: { case: 'metadata', value: metadata(r) } }),
  streamingDataCaptureUpload: (r) => ({
    uploadPacket: { case: 'metadata', value: { uploadMetadata: metadata(r) } },
  }),
  getLatestTabularData: readings,
  exportTabularData: readings,
  tabularDataByFilter: (r) => ({ dataRequest: selected(r) }),
  tabularDataBySQL: ({ organizationId }) => ({
    organizationId,
    sqlQuery: 'SELECT data FROM readings',
  }),
  tabularDataByMQL: ({ organizationId }) => ({ organizationId }),
  streamTabularData: ({ organizationId }) => ({
    query: { case: 'sql', value: { organizationId, sqlQuery: 'SELECT data FROM readings' } },
  }),
  deleteTabularData: ({ organizationId }) => ({ organizationId, deleteOlderThanDays: 0 }),
  binaryDataByFilter: (r) => ({ dataRequest: selected(r) }),
  binaryDataByIDs: items,
  deleteBinaryDataByFilter: selected,
  deleteBinaryDataByIDs: items,
  addTagsToBinaryDataByIDs: (r) => ({ ...items(r), tags: [NEW] }),
  addTagsToBinaryDataByFilter: (r) => ({ ...selected(r), tags: [NEW] }),
  removeTagsFromBinaryDataByIDs: (r) => ({ ...items(r), tags: [NEW] }),
  removeTagsFromBinaryDataByFilter: (r) => ({ ...selected(r), tags: [NEW] }),
  tagsByFilter: selected,
  addBoundingBoxToImageByID: (r) => ({ binaryDataId: r.binaryDataId, label: NEW }),
  removeBoundingBoxFromImageByID: (r) => ({ binaryDataId: r.binaryDataId, bboxId: r.boxId }),
  boundingBoxLabelsByFilter: selected,
  getDatabaseConnection: ({ organizationId }) => ({ organizationId }),
  configureDatabaseUser: ({ organizationId }) => ({ organizationId, password: 'long enough' }),
  addBinaryDataToDatasetByIDs: members,
  removeBinaryDataFromDatasetByIDs: members,

  createDataset: ({ organizationId }) => ({ organizationId, name: NEW }),
  deleteDataset: (r) => ({ id: r.datasetId }),
  renameDataset: (r) => ({ id: r.datasetId, name: NEW }),
  listDatasetsByOrganizationID: ({ organizationId }) => ({ organizationId }),
  listDatasetsByIDs: (r) => ({ ids: [r.datasetId] }),
};
