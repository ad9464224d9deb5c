import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

export interface TrainingJobsTable {
  /** Jobs run in the order of it, which is that in which they were submitted. */
  sequence: Generated<number>;
  id: string;
  organization_id: string;
  /** The dataset may be gone. */
  dataset_id: string;
  model_name: string;
  model_version: string;
  /** The wire's number of ModelType. */
  model_type: number;
  /** The wire's number of ModelFramework. */
  model_framework: number;
  /** JSON of a list of texts. */
  labels: string;
  /** The training script as the submitter of the job named it; null for a managed job. */
  script_id: string | null;
  /** The row of its registry item, which no other item ever has. */
  script_item_id: string | null;
  script_version: string | null;
  /** JSON of an object of texts. */
  arguments: string;
  container_version: string;
  status: TrainingStatus;
  /** The wire's number of google.rpc.Code; null unless it has failed. */
  error_code: number | null;
  error_message: string | null;
  /** The id of the model's packages; empty until it has completed. */
  package_id: string;
  created_at: Micros;
  modified_at: Micros;
  started_at: Micros | null;
  ended_at: Micros | null;
  /** How often it was begun, without the times when the service that ran it stopped in order. */
  attempts: number;
  /** The service that runs it. */
  runner: string | null;
  /** When that service last said so, by the clock of the database; null where one service has the store. */
  beat_at: Micros | null;
}

export interface TrainingLogLinesTable {
  /** Lines of a job are in the order of it. */
  sequence: Generated<number>;
  job_id: string;
  logged_at: Micros;
  level: string;
  message: string;
}

/** The tables of trainings. */
export interface TrainingSchema {
  training_jobs: TrainingJobsTable;
  training_log_lines: TrainingLogLinesTable;
}

export type TrainingJobRow = Selectable<TrainingJobsTable>;
export type TrainingLogLineRow = Selectable<TrainingLogLinesTable>;

/** The wire's numbers of where a job is in its life. */
export const TRAINING_STATUS = {
  pending: 1,
  inProgress: 2,
  completed: 3,
  failed: 4,
  canceled: 5,
  canceling: 6,
} as const;

export type TrainingStatus = (typeof TRAINING_STATUS)[keyof typeof TRAINING_STATUS];
