import type { ServiceImpl } from '@connectrpc/connect';
import { create } from '@bufbuild/protobuf';
import { formatScriptSupport, SCRIPT_SUPPORT_HEADER } from '../../core/model/contractExtensions';
import {
  type MLTrainingService,
  type TrainingJobLogEntry,
  TrainingJobLogEntrySchema,
  type TrainingJobMetadata,
  TrainingJobMetadataSchema,
} from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { ConfigBudget } from '../config/configRules';
import { failedPrecondition, notFound } from '../errors';
import { createSequencePageTokens } from '../messages/paging';
import { newId } from '../store/identifiers';
import {
  cancelTrainingJob,
  deleteEndedTrainingJob,
  findTrainingJob,
  listTrainingJobs,
} from '../store/training/trainingJobs';
import { trainingLinesAfter } from '../store/training/trainingLogs';
import type { TrainingJobRow, TrainingLogLineRow } from '../store/training/trainingSchema';
import type { TrainingQueue } from '../training/trainingQueue';
import { NO_TRAINER } from '../training/prepareTraining';
import type { Trainers } from '../training/trainingRunner';
import { getCaller, type HandlerDependencies } from './handlerSupport';
import { addJob, customParticulars, managedParticulars } from './trainingSubmission';
import { optionalTimestamp, timestampFromMicros } from '../store/micros';

interface TrainingDependencies extends HandlerDependencies {
  queue: Pick<TrainingQueue, 'submitted' | 'canceled'>;
  trainers: Trainers;
}

const KIND = 'training job';
const PAGE_LINES = 500;
/** Maximum size of a page in bytes. By default, gRPC clients reject messages larger than 4 MiB. */
const PAGE_BYTES = 1024 * 1024;
/**
 * Tokens that clients send to request the lines after a line. A token remains valid as long as the
 * job exists. A client that has read all lines can therefore poll for new ones with its last token.
 */
const TOKENS = createSequencePageTokens('after-');

/** Handlers for training jobs (spec part 2). */
export function trainingHandlers({
  store,
  now,
  queue,
  trainers,
}: TrainingDependencies): ServiceImpl<typeof MLTrainingService> {
  return {
    async submitTrainingJob(request) {
      requireTrainer('managed');
      const particulars = managedParticulars(request);
      const id = newId();
      await store
        .transaction()
        .execute((access) => addJob(access, request, particulars, { id, created_at: now() }));
      queue.submitted();
      return { id };
    },

    async submitCustomTrainingJob(request, context) {
      requireTrainer('custom');
      const id = newId();
      await store.transaction().execute(async (access) => {
        const particulars = await customParticulars(access, getCaller(context), request);
        await addJob(access, request, particulars, { id, created_at: now() });
      });
      queue.submitted();
      return { id };
    },

    async getTrainingJob({ id }) {
      const row = await findTrainingJob(store, id);
      if (row === undefined) throw notFound(KIND, id);
      return { metadata: trainingJobMessage(row) };
    },

    async listTrainingJobs({ organizationId, status }, { responseHeader }) {
      responseHeader.set(SCRIPT_SUPPORT_HEADER, formatScriptSupport(trainers.custom !== undefined));
      const rows = await listTrainingJobs(store, organizationId, status || undefined);
      const budget = new ConfigBudget();
      return {
        jobs: rows.map((row) =>
          trainingJobMessage(
            row,
            budget.tryConsume('own', row.labels.length + row.arguments.length),
          ),
        ),
      };
    },

    async cancelTrainingJob({ id }) {
      switch (await cancelTrainingJob(store, id, now())) {
        case 'canceling':
        case 'asked':
          queue.canceled(id);
          return {};
        case 'ended':
          throw failedPrecondition(`${KIND} "${id}" has ended: there is nothing to cancel`);
        case 'absent':
          throw notFound(KIND, id);
      }
    },

    async deleteCompletedTrainingJob({ id }) {
      if (await deleteEndedTrainingJob(store, id)) return {};
      if ((await findTrainingJob(store, id)) === undefined) throw notFound(KIND, id);
      throw failedPrecondition(
        `${KIND} "${id}" has not ended: cancel it first, or wait until it has`,
      );
    },

    async getTrainingJobLogs({ id, pageToken = '' }) {
      const after = TOKENS.parse(pageToken) ?? 0;
      const rows = await trainingLinesAfter(store, id, after, PAGE_LINES + 1);
      const page = limitPage(rows);
      const last = rows.length > page.length ? page.at(-1) : undefined;
      return {
        logs: page.map(trainingLineMessage),
        nextPageToken: TOKENS.create(last?.sequence),
      };
    },
  };

  function requireTrainer(kind: keyof Trainers): void {
    if (trainers[kind] === undefined) throw failedPrecondition(NO_TRAINER[kind]);
  }
}

/** Returns as many lines as fit in a response, and at least one. */
function limitPage(rows: readonly TrainingLogLineRow[]): readonly TrainingLogLineRow[] {
  let bytes = 0;
  const over = rows.findIndex(({ message }, index) => {
    bytes += Buffer.byteLength(message);
    return index > 0 && (bytes > PAGE_BYTES || index >= PAGE_LINES);
  });
  return over < 0 ? rows : rows.slice(0, over);
}

/**
 * Returns a job's wire format.
 * @param withDetails true to include the job's labels and arguments, which lists can omit to save
 *   space.
 */
function trainingJobMessage(row: TrainingJobRow, withDetails = true): TrainingJobMetadata {
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
function trainingLineMessage(row: TrainingLogLineRow): TrainingJobLogEntry {
  return create(TrainingJobLogEntrySchema, {
    level: row.level,
    time: timestampFromMicros(row.logged_at),
    message: row.message,
  });
}
