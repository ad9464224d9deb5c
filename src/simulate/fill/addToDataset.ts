import type { FillPlan } from './fillPlan';

const ITEMS_A_CALL = 500;

/** The client and organization for dataset changes. */
type Sorter = Pick<FillPlan, 'data' | 'datasets' | 'organizationId'> &
  Partial<Pick<FillPlan, 'options'>>;

/**
 * Adds items to the organization's dataset with the given name. Creates the dataset if it doesn't
 * exist.
 */
export async function addToDataset(
  { data, datasets, organizationId, options }: Sorter,
  name: string,
  binaryDataIds: readonly string[],
): Promise<void> {
  if (binaryDataIds.length === 0) {
    return;
  }
  const listed = await datasets.listDatasetsByOrganizationID({ organizationId }, options);
  const datasetId =
    listed.datasets.find((dataset) => dataset.name === name)?.id ??
    (await datasets.createDataset({ organizationId, name }, options)).id;
  for (let start = 0; start < binaryDataIds.length; start += ITEMS_A_CALL) {
    const ids = binaryDataIds.slice(start, start + ITEMS_A_CALL);
    await data.addBinaryDataToDatasetByIDs({ datasetId, binaryDataIds: ids }, options);
  }
}
