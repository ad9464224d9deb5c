/**
 * Adds the state of deletions of contents in a bucket. A delayed deletion can't affect an object of
 * a later generation, because its key differs.
 */
export function blobGenerationColumns(): string[] {
  return [
    `alter table blobs add column generation integer not null default 0`,
    `alter table blobs add column unreferenced_at bigint`,
    `alter table blobs add column collected_at bigint`,
  ];
}
