import type { PcdEncoding } from '../../simulate/clouds/pcd';
import type { ImageFormat } from '../../simulate/images/encodeImage';
import type { TabularSource } from '../../simulate/readings/tabularSource';
import type { CaptureSource } from '../../simulate/uploads/partUploads';

/** Readings that a part has uploaded again and again, up to now. */
export interface ReadingsPlan {
  /** The part's name. */
  part: string;
  source: TabularSource;
  everyMinutes: number;
  tags: string[];
}

/** A picture of the hall, in which the machine's camera sees some things. */
export interface PicturePlan {
  part: string;
  source: CaptureSource;
  hoursAgo: number;
  format: ImageFormat;
  tags: string[];
  /** Somebody has marked what is in it. */
  labeled?: boolean;
  /** Name of the dataset into which somebody has put it. */
  dataset?: string;
}

/** What a camera takes again and again, up to now; hardly anybody has looked at it yet. */
export interface SeriesPlan {
  part: string;
  source: CaptureSource;
  everyMinutes: number;
  /** One picture of so many has the tags. */
  taggedEvery: number;
  tags: string[];
}

/** Cartons below a camera, which people have judged and marked: enough to train a model on. */
export interface InspectionPlan {
  part: string;
  source: CaptureSource;
  /** Of the first and of the last one. */
  hoursAgo: readonly [number, number];
  count: number;
  dataset: string;
}

/** A point cloud of the hall. */
export interface ScanPlan {
  part: string;
  source: CaptureSource;
  hoursAgo: number;
  encoding: PcdEncoding;
  tags: string[];
  dataset?: string;
}

/** What the machines of a company have captured in the last days. */
export interface CapturesPlan {
  readings: ReadingsPlan[];
  pictures: PicturePlan[];
  series: SeriesPlan[];
  inspections: InspectionPlan[];
  scans: ScanPlan[];
}
