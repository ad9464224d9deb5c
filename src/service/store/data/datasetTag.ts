/** Prefix of the tags of datasets, which items have only by membership. */
export const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/** Returns the tag that exactly the members of a dataset have. */
export function datasetTag(datasetId: string): string {
  return DATASET_TAG_PREFIX + datasetId;
}
