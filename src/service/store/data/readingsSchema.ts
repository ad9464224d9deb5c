import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/**
 * Properties that readings from the same origin share, with the names at the time of capture: one
 * row for any number of readings.
 */
export interface ReadingSeriesTable {
  id: Generated<number>;
  /** SHA-256 of all following columns, which identifies the row. */
  series_key: string;
  organization_id: string;
  location_id: string;
  robot_id: string;
  robot_name: string;
  part_id: string;
  part_name: string;
  /** As received: `rdk:component:sensor` or `sensor`. */
  component_type: string;
  /** Its bare type name: `sensor`. */
  component_kind: string;
  component_name: string;
  method_name: string;
  /** Base64 of a CaptureMetadata with only these parameters. */
  method_parameters: string | null;
  /** The same as members of a JSON object, if their types are known: lines of `linesOf`. */
  parameters: string;
  /** JSON strings: lines of `linesOf`. */
  tags: string;
}

/** The durable record of every acknowledged reading. */
export interface ReadingsTable {
  /** Readings with the same timestamp are sorted by ID. */
  id: Generated<number>;
  series_id: number;
  /** Organization of the series, for pages over many series. */
  organization_id: string;
  /** Time of capture, by which lists are sorted. */
  requested_at: Micros;
  received_at: Micros;
  /** Time when the service stored it. */
  synced_at: Micros;
  /** Size of the payload in bytes. */
  size: number;
  /** JSON text. */
  payload: string;
}

/**
 * Number of readings of a series captured per day, because counting readings individually is slow.
 */
export interface ReadingDaysTable {
  series_id: number;
  /** Whole UTC days since the Unix epoch. */
  day: number;
  row_count: number;
  byte_count: number;
  last_synced_at: Micros;
}

/** The tables of readings. */
export interface ReadingsSchema {
  reading_series: ReadingSeriesTable;
  readings: ReadingsTable;
  reading_days: ReadingDaysTable;
}

export type ReadingSeriesRow = Selectable<ReadingSeriesTable>;
export type ReadingRow = Selectable<ReadingsTable>;
