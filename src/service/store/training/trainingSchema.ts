import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

export interface TrainingJobsTable {
  /** Jobs run in this order, which is the order of submission. */
  sequence: Generated<number>;
  id: string;
  organization_id: string;
  /** The dataset might have been deleted. */
  dataset_id: string;
  model_name: string;
  model_version: string;
  /** Numeric ModelType of the wire. */
  model_type: number;
  /** Numeric ModelFramework of the wire. */
  model_framework: number;
  /** JSON of a list of strings. */
  labels: string;
  /** The training script as the submitter specified it; null for a managed job. */
  script_id: string | null;
  /** ID of its registry item's row, which is never reused. */
  script_item_id: string | null;
  script_version: string | null;
  /** JSON of an object with string values. */
  arguments: string;
  container_version: string;
  status: TrainingStatus;
  /** Numeric google.rpc.Code; null unless it has failed. */
  error_code: number | null;
  error_message: string | null;
  /** ID of the model's packages; empty until it has completed. */
  package_id: string;
  created_at: Micros;
  modified_at: Micros;
  started_at: Micros | null;
  ended_at: Micros | null;
  /** Number of attempts, excluding those interrupted by an orderly stop of the service. */
  attempts: number;
  /** The service that runs it. */
  runner: string | null;
  /**
   * Last heartbeat of that service, by the clock of the database; null if a single service has the
   * store.
   */
  beat_at: Micros | null;
}

export interface TrainingLogLinesTable {
  /** Lines of a job are sorted by it. */
  sequence: Generated<number>;
  job_id: string;
  logged_at: Micros;
  level: string;
  message: string;
}

/** The tables of training jobs. */
export interface TrainingSchema {
  training_jobs: TrainingJobsTable;
  training_log_lines: TrainingLogLinesTable;
}

export type TrainingJobRow = Selectable<TrainingJobsTable>;
export type TrainingLogLineRow = Selectable<TrainingLogLinesTable>;

/** Wire numbers of the statuses of a job. */
export const TRAINING_STATUS = {
  pending: 1,
  inProgress: 2,
  completed: 3,
  failed: 4,
  canceled: 5,
  canceling: 6,
} as const;

export type TrainingStatus = (typeof TRAINING_STATUS)[keyof typeof TRAINING_STATUS];
