import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/**
 * Table of properties that readings from the same origin share, with the names at the time of
 * capture. Each row applies to any number of readings.
 */
export interface ReadingSeriesTable {
  id: Generated<number>;
  /** SHA-256 hash of all following columns, which identifies the row. */
  series_key: string;
  organization_id: string;
  location_id: string;
  robot_id: string;
  robot_name: string;
  part_id: string;
  part_name: string;
  /** Component type as received: `rdk:component:sensor` or `sensor`. */
  component_type: string;
  /** Component type without a namespace: `sensor`. */
  component_kind: string;
  component_name: string;
  method_name: string;
  /** Base64 encoding of a CaptureMetadata message with only these parameters. */
  method_parameters: string | null;
  /**
   * The same parameters as members of a JSON object, if their types are known, in the format of
   * `joinLines`.
   */
  parameters: string;
  /** JSON strings, in the format of `joinLines`. */
  tags: string;
}

/** Table of the durable records of all acknowledged readings. */
export interface ReadingsTable {
  /** ID, which determines the order of readings with the same timestamp. */
  id: Generated<number>;
  series_id: number;
  /** Organization of the series, for pages over many series. */
  organization_id: string;
  /** Time of capture. Lists are sorted by this time. */
  requested_at: Micros;
  received_at: Micros;
  /** Time when the service stored the reading. */
  synced_at: Micros;
  /** Size of the payload in bytes. */
  size: number;
  /** Payload of the reading as JSON text. */
  payload: string;
}

/**
 * Table of the number of readings captured per series and day. Counting readings individually would
 * be slow.
 */
export interface ReadingDaysTable {
  series_id: number;
  /** Number of whole UTC days since the Unix epoch. */
  day: number;
  row_count: number;
  byte_count: number;
  last_synced_at: Micros;
}

/** Tables of readings. */
export interface ReadingsSchema {
  reading_series: ReadingSeriesTable;
  readings: ReadingsTable;
  reading_days: ReadingDaysTable;
}

export type ReadingSeriesRow = Selectable<ReadingSeriesTable>;
export type ReadingRow = Selectable<ReadingsTable>;
