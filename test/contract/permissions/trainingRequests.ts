import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type MLTrainingService,
  ModelType,
} from '../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import type { Resources } from './permissionResources';

type Methods = typeof MLTrainingService.method;
type Requests = {
  readonly [Name in keyof Methods]: (
    resources: Resources,
  ) => MessageInitShape<Methods[Name]['input']>;
};

const model = ({ organizationId, datasetId }: Resources) => ({
  organizationId,
  datasetId,
  modelName: 'new-name',
  modelVersion: '1',
});
const endedJob = ({ endedJobId }: Resources) => ({ id: endedJobId });

/** One valid request for every RPC on training jobs. */
export const TRAINING_REQUESTS: Requests = {
  submitTrainingJob: (r) => ({
    ...model(r),
    modelType: ModelType.OBJECT_DETECTION,
    tags: ['new-label'],
  }),
  submitCustomTrainingJob: (r) => ({
    ...model(r),
    registryItemId: r.scriptId,
    registryItemVersion: '1.0.0',
  }),
  getTrainingJob: endedJob,
  listTrainingJobs: ({ organizationId }) => ({ organizationId }),
  cancelTrainingJob: ({ runningJobId }) => ({ id: runningJobId }),
  deleteCompletedTrainingJob: endedJob,
  getTrainingJobLogs: endedJob,
};
