import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/**
 * What readings have in common that were captured alike, as all of it was called at that time: one
 * row, however many readings.
 */
export interface ReadingSeriesTable {
  id: Generated<number>;
  /** SHA-256 over everything below: the row is found by it. */
  series_key: string;
  organization_id: string;
  location_id: string;
  robot_id: string;
  robot_name: string;
  part_id: string;
  part_name: string;
  /** As it was sent: `rdk:component:sensor` or `sensor`. */
  component_type: string;
  /** The bare type name of it: `sensor`. */
  component_kind: string;
  component_name: string;
  method_name: string;
  /** Base64 of a CaptureMetadata that has nothing but them. */
  method_parameters: string | null;
  /** The same as members of a JSON object, as far as their types are known: lines of `linesOf`. */
  parameters: string;
  /** JSON strings: lines of `linesOf`. */
  tags: string;
}

/** The durable record of every reading that was acknowledged. */
export interface ReadingsTable {
  /** Readings of one moment are in the order of their ids. */
  id: Generated<number>;
  series_id: number;
  /** That of the series, for pages over many series. */
  organization_id: string;
  /** When it was captured: lists are in this order. */
  requested_at: Micros;
  received_at: Micros;
  /** When the service stored it. */
  synced_at: Micros;
  /** Bytes of the payload. */
  size: number;
  /** JSON text. */
  payload: string;
}

/** How many readings of a series were captured on a day: counting them one by one is slow. */
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
