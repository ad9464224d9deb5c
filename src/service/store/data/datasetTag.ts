/** Prefix of dataset tags. Items can get these tags only by becoming members of a dataset. */
export const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/**
 * Returns the tag of a dataset. All members of the dataset have this tag, and no other items do.
 */
export function datasetTag(datasetId: string): string {
  return DATASET_TAG_PREFIX + datasetId;
}
