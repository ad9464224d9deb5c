import type { CallOptions, Client } from '@connectrpc/connect';
import type { DataService } from '../../gen/viam/app/data/v1/data_pb';
import type { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import type { Random } from '../random';
import type { PartUploads } from '../uploads/partUploads';
import type { TimeSpan } from './timeSpan';

/** A machine that uploads. */
export interface Uploader {
  partName: string;
  uploads: PartUploads;
}

/** With what a fleet is filled. */
export interface FillPlan {
  random: Random;
  span: TimeSpan;
  organizationId: string;
  uploaders: readonly Uploader[];
  /** The operations of anyone who labels and sorts what the machines have uploaded. */
  data: Client<typeof DataService>;
  datasets: Client<typeof DatasetService>;
  /** For every call. */
  options: CallOptions;
  /** Hears how many of a kind have been stored by now. */
  progress: (kind: FillKind, done: number) => void;
}

export type FillKind = 'readings' | 'images' | 'pointClouds';

/** What everything is tagged with that is no reading of a machine. */
export const DEMO_TAG = 'demo-data';

/** Uploads under way at a time: enough that neither side waits for the other. */
export const UPLOADS_AT_ONCE = 4;

/** The machine that captures the item of an index: each in its turn. */
export function uploaderOf({ uploaders }: FillPlan, index: number): Uploader {
  const uploader = uploaders[index % uploaders.length];
  if (uploader === undefined) {
    throw new Error('there is no machine that could capture anything');
  }
  return uploader;
}
