import type { JsonObject } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { CaptureMetadata } from '../../gen/viam/app/data/v1/data_pb';
import { type CaptureSource, toSource } from './binaryItem';
import { timestampToMicros } from './micros';

/** Captured reading. */
export interface Reading {
  readonly source: CaptureSource;
  /** Time at which the machine read the sensor, in microseconds since 1970. */
  readonly at: number;
  readonly receivedAt: number | undefined;
  readonly tags: readonly string[];
  /** Readings of sensors are under the key `readings`. */
  readonly data: JsonObject;
}

/** Readings of one resource by the same method. */
export interface ReadingSeries {
  readonly partId: CaptureSource['partId'];
  readonly componentName: string;
  /** Such as `rdk:component:sensor`, or the bare type name. */
  readonly componentType: string;
  readonly method: string;
}

/** Reading as contained in pages. */
interface WireReading {
  readonly data?: JsonObject | undefined;
  /** Index of its entry in the metadata of the page. */
  readonly metadataIndex: number;
  readonly timeRequested?: Timestamp | undefined;
  readonly timeReceived?: Timestamp | undefined;
}

/** Converts the readings of a page, whose sources are separate on the wire. */
export function readingsFromWire(
  rows: readonly WireReading[],
  metadata: readonly CaptureMetadata[],
): readonly Reading[] {
  const sources = metadata.map((one) => ({ source: toSource(one), tags: one.tags }));
  const unknown = { source: toSource(undefined), tags: [] };
  return rows.map(({ data, metadataIndex, timeRequested, timeReceived }) => ({
    ...(sources[metadataIndex] ?? unknown),
    at: timeRequested ? timestampToMicros(timeRequested) : 0,
    receivedAt: timeReceived && timestampToMicros(timeReceived),
    data: data ?? {},
  }));
}
