import type { ConnectionId } from './ids';
import type { TrainingJobTarget } from './resourceTarget';
import type { TrainingJob } from './trainingJob';

/** Returns the target that commands receive for a training job. */
export function trainingJobTarget(
  connectionId: ConnectionId,
  {
    id,
    organizationId,
    modelName,
    modelVersion,
  }: Pick<TrainingJob, 'id' | 'organizationId' | 'modelName' | 'modelVersion'>,
): TrainingJobTarget {
  return {
    ...{ kind: 'trainingJob', connectionId, organizationId },
    ...{ jobId: id, name: modelName, version: modelVersion },
  };
}
