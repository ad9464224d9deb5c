import type { SchemaDialect } from './schemaDialect';

/** Creates the tables for training jobs and their logs. */
export function trainingTables({ sequenceColumn }: SchemaDialect): string[] {
  return [
    `create table training_jobs (
      sequence ${sequenceColumn},
      id text not null unique,
      organization_id text not null references organizations (id) on delete cascade,
      dataset_id text not null,
      model_name text not null,
      model_version text not null,
      model_type integer not null,
      model_framework integer not null,
      labels text not null,
      script_id text,
      script_item_id text,
      script_version text,
      arguments text not null,
      container_version text not null,
      status integer not null,
      error_code integer,
      error_message text,
      package_id text not null,
      created_at bigint not null,
      modified_at bigint not null,
      started_at bigint,
      ended_at bigint,
      attempts integer not null,
      runner text,
      beat_at bigint
    )`,
    // Includes only pending, running, completed, and canceling jobs. Failed and canceled jobs don't
    // reserve their version.
    `create unique index training_jobs_by_version
      on training_jobs (organization_id, model_name, model_version) where status in (1, 2, 3, 6)`,
    `create index training_jobs_by_organization on training_jobs (organization_id, sequence)`,
    `create index training_jobs_under_way on training_jobs (status, sequence)
      where status in (1, 2, 6)`,
    `create table training_log_lines (
      sequence ${sequenceColumn},
      job_id text not null references training_jobs (id) on delete cascade,
      logged_at bigint not null,
      level text not null,
      message text not null
    )`,
    `create index training_log_lines_by_job on training_log_lines (job_id, sequence)`,
  ];
}
