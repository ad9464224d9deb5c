import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

export interface TrainingJobsTable {
  /** Sequence number. Jobs run in this order, which is the order of submission. */
  sequence: Generated<number>;
  id: string;
  organization_id: string;
  /** ID of the dataset, which might have been deleted. */
  dataset_id: string;
  model_name: string;
  model_version: string;
  /** Numeric value of ModelType in the wire protocol. */
  model_type: number;
  /** Numeric value of ModelFramework in the wire protocol. */
  model_framework: number;
  /** Labels as a JSON list of strings. */
  labels: string;
  /** Training script as the submitter specified it; null for a managed job. */
  script_id: string | null;
  /** ID of the script's row in the table of registry items. These IDs are never reused. */
  script_item_id: string | null;
  script_version: string | null;
  /** Arguments as a JSON object with string values. */
  arguments: string;
  container_version: string;
  status: TrainingStatus;
  /** Numeric google.rpc.Code; null unless the job has failed. */
  error_code: number | null;
  error_message: string | null;
  /** ID for the model's packages; empty until the job has completed. */
  package_id: string;
  created_at: Micros;
  modified_at: Micros;
  started_at: Micros | null;
  ended_at: Micros | null;
  /**
   * Number of attempts, excluding attempts that were interrupted by an orderly stop of the service.
   */
  attempts: number;
  /** Service that runs the job. */
  runner: string | null;
  /**
   * Last heartbeat of the service that runs the job, according to the database's clock; null if
   * only one service uses the store.
   */
  beat_at: Micros | null;
}

export interface TrainingLogLinesTable {
  /** Sequence number. A job's lines are sorted by this number. */
  sequence: Generated<number>;
  job_id: string;
  logged_at: Micros;
  level: string;
  message: string;
}

/** Tables of training jobs. */
export interface TrainingSchema {
  training_jobs: TrainingJobsTable;
  training_log_lines: TrainingLogLinesTable;
}

export type TrainingJobRow = Selectable<TrainingJobsTable>;
export type TrainingLogLineRow = Selectable<TrainingLogLinesTable>;

/** Numeric wire values for job statuses. */
export const TRAINING_STATUS = {
  pending: 1,
  inProgress: 2,
  completed: 3,
  failed: 4,
  canceled: 5,
  canceling: 6,
} as const;

export type TrainingStatus = (typeof TRAINING_STATUS)[keyof typeof TRAINING_STATUS];
