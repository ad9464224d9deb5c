import type { PcdEncoding } from '../../simulate/clouds/pcd';
import type { ImageFormat } from '../../simulate/images/encodeImage';
import type { TabularSource } from '../../simulate/readings/tabularSource';
import type { CaptureSource } from '../../simulate/uploads/partUploads';

/** Readings that a part has periodically uploaded until now. */
export interface ReadingsPlan {
  /** Name of the part. */
  part: string;
  source: TabularSource;
  everyMinutes: number;
  tags: string[];
}

/** Image of the hall with objects that the machine's camera sees. */
export interface ImagePlan {
  part: string;
  source: CaptureSource;
  hoursAgo: number;
  format: ImageFormat;
  tags: string[];
  /** True if a user has labeled the objects in the image. */
  labeled?: boolean;
  /** Name of the dataset that a user has added the image to. */
  dataset?: string;
}

/**
 * Images that a camera has periodically captured until now, most of which have not been reviewed.
 */
export interface SeriesPlan {
  part: string;
  source: CaptureSource;
  everyMinutes: number;
  /** Interval of tagged images. Every nth image has the tags. */
  taggedEvery: number;
  tags: string[];
}

/**
 * Images of cartons below a camera, classified and labeled by users. There are enough images to
 * train a model.
 */
export interface InspectionPlan {
  part: string;
  source: CaptureSource;
  /** Ages of the first and the last image, in hours. */
  hoursAgo: readonly [number, number];
  count: number;
  dataset: string;
}

/** Point cloud of the hall. */
export interface ScanPlan {
  part: string;
  source: CaptureSource;
  hoursAgo: number;
  encoding: PcdEncoding;
  tags: string[];
  dataset?: string;
}

/** Data that a company's machines have captured in the last few days. */
export interface CapturesPlan {
  readings: ReadingsPlan[];
  pictures: ImagePlan[];
  series: SeriesPlan[];
  inspections: InspectionPlan[];
  scans: ScanPlan[];
}
