/**
 * Adds the progress of removing readings from the records that are only in files from then on, and
 * the sealed range of each of these files.
 */
export function coldReadingColumns(): string[] {
  return [
    `alter table lake_progress add column removed_through bigint`,
    `alter table lake_files add column through_id bigint`,
  ];
}
