/** Prefix of dataset tags. Items can get these tags only by becoming members of a dataset. */
export const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/** Returns the tag that all members of a dataset, and no other items, have. */
export function datasetTag(datasetId: string): string {
  return DATASET_TAG_PREFIX + datasetId;
}
