/** What the tags of datasets begin with: items have them by membership alone. */
export const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/** The tag that exactly the members of a dataset have. */
export function datasetTag(datasetId: string): string {
  return DATASET_TAG_PREFIX + datasetId;
}
