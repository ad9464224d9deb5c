import type { JsonObject } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { CaptureMetadata } from '../../gen/viam/app/data/v1/data_pb';
import { type CaptureSource, toSource } from './binaryItem';
import { timestampToMicros } from './timestamp';

/** Captured reading. */
export interface Reading {
  readonly source: CaptureSource;
  /** Time at which the machine read the sensor, in microseconds since 1970. */
  readonly at: number;
  readonly receivedAt: number | undefined;
  readonly tags: readonly string[];
  /** Payload of the reading. Readings from sensors are under the key `readings`. */
  readonly data: JsonObject;
}

/** Readings from one resource that were captured by the same method. */
export interface ReadingSeries {
  readonly partId: CaptureSource['partId'];
  readonly componentName: string;
  /** Component type, such as `rdk:component:sensor`, or the type name without its namespace. */
  readonly componentType: string;
  readonly method: string;
}

/** Reading as it appears in pages on the wire. */
interface WireReading {
  readonly data?: JsonObject | undefined;
  /** Index of the reading's source in the page's metadata. */
  readonly metadataIndex: number;
  readonly timeRequested?: Timestamp | undefined;
  readonly timeReceived?: Timestamp | undefined;
}

/** Converts a page of readings from the wire, where the sources are separate from the readings. */
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
