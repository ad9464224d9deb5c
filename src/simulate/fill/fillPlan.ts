import type { CallOptions, Client } from '@connectrpc/connect';
import type { DataService } from '../../gen/viam/app/data/v1/data_pb';
import type { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import type { Random } from '../random';
import type { PartUploads } from '../machines/partUploads';

/** A machine that uploads data. */
export interface Uploader {
  partName: string;
  uploads: PartUploads;
}

/** Clients and settings for filling a fleet. */
export interface FillPlan {
  random: Random;
  span: TimeSpan;
  organizationId: string;
  uploaders: readonly Uploader[];
  /** Client for operations with which users label and organize data from machines. */
  data: Client<typeof DataService>;
  datasets: Client<typeof DatasetService>;
  /** Options of every call. */
  options: CallOptions;
  /** Called with the number of items of a kind that are stored so far. */
  progress: (kind: FillKind, done: number) => void;
}

export type FillKind = 'readings' | 'images' | 'pointClouds';

/** Tag of all data except the machines' readings. */
export const DEMO_TAG = 'demo-data';

/** Number of concurrent uploads: enough to keep both client and service busy. */
export const UPLOADS_AT_ONCE = 4;

/** Returns the machine that captures the item at an index. Machines are assigned round-robin. */
export function getUploader({ uploaders }: FillPlan, index: number): Uploader {
  const uploader = uploaders[index % uploaders.length];
  if (uploader === undefined) throw new Error('there is no machine that could capture anything');
  return uploader;
}

/** A time range over which captures are distributed. */
export interface TimeSpan {
  start: Date;
  end: Date;
}

const MIN_JITTER = 0.2;
const MAX_JITTER = 0.8;

/**
 * Returns the capture time of the item at an index. The times are distributed evenly with some
 * randomness.
 */
export function getCaptureTime(
  { start, end }: TimeSpan,
  random: Random,
  index: number,
  count: number,
): Date {
  const interval = (end.getTime() - start.getTime()) / count;
  return new Date(
    start.getTime() + Math.floor((index + random.between(MIN_JITTER, MAX_JITTER)) * interval),
  );
}

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
  if (binaryDataIds.length === 0) return;
  const listed = await datasets.listDatasetsByOrganizationID({ organizationId }, options);
  const datasetId =
    listed.datasets.find((dataset) => dataset.name === name)?.id ??
    (await datasets.createDataset({ organizationId, name }, options)).id;
  for (let start = 0; start < binaryDataIds.length; start += ITEMS_A_CALL) {
    const ids = binaryDataIds.slice(start, start + ITEMS_A_CALL);
    await data.addBinaryDataToDatasetByIDs({ datasetId, binaryDataIds: ids }, options);
  }
}
