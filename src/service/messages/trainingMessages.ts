import { create } from '@bufbuild/protobuf';
import {
  type TrainingJobLogEntry,
  TrainingJobLogEntrySchema,
  type TrainingJobMetadata,
  TrainingJobMetadataSchema,
} from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { optionalTimestamp, timestampFromMicros } from '../store/micros';
import type { TrainingJobRow, TrainingLogLineRow } from '../store/training/trainingSchema';

/**
 * Returns the wire format of a job.
 * @param withDetails true to include the job's labels and arguments, which lists can omit to save
 *   space.
 */
export function trainingJobMessage(row: TrainingJobRow, withDetails = true): TrainingJobMetadata {
  return create(TrainingJobMetadataSchema, {
    id: row.id,
    datasetId: row.dataset_id,
    organizationId: row.organization_id,
    modelName: row.model_name,
    modelVersion: row.model_version,
    modelType: row.model_type,
    modelFramework: row.model_framework,
    isCustomJob: row.script_id !== null,
    registryItemId: row.script_id ?? '',
    registryItemVersion: row.script_version ?? '',
    status: row.status,
    ...(row.error_code !== null && {
      errorStatus: { code: row.error_code, message: row.error_message ?? '' },
    }),
    createdOn: timestampFromMicros(row.created_at),
    lastModified: timestampFromMicros(row.modified_at),
    trainingStarted: optionalTimestamp(row.started_at),
    trainingEnded: optionalTimestamp(row.ended_at),
    syncedModelId: row.package_id,
    tags: withDetails ? (JSON.parse(row.labels) as string[]) : [],
    arguments: withDetails ? (JSON.parse(row.arguments) as Record<string, string>) : {},
    containerVersion: row.container_version,
  });
}

/** Returns the wire format of a job's log line. */
export function trainingLineMessage(row: TrainingLogLineRow): TrainingJobLogEntry {
  return create(TrainingJobLogEntrySchema, {
    level: row.level,
    time: timestampFromMicros(row.logged_at),
    message: row.message,
  });
}
