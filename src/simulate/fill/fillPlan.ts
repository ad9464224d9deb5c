import type { CallOptions, Client } from '@connectrpc/connect';
import type { DataService } from '../../gen/viam/app/data/v1/data_pb';
import type { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import type { Random } from '../random';
import type { PartUploads } from '../uploads/partUploads';
import type { TimeSpan } from './timeSpan';

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

/**
 * Returns the machine that captures the item at a given index. Machines are assigned round-robin.
 */
export function getUploader({ uploaders }: FillPlan, index: number): Uploader {
  const uploader = uploaders[index % uploaders.length];
  if (uploader === undefined) {
    throw new Error('there is no machine that could capture anything');
  }
  return uploader;
}
