import { isoMicros } from '../../model/micros';
import type { Reading } from '../../model/reading';
import { FIXED_COLUMNS, PAYLOAD_ROOT, valueIn } from '../readings/tableColumn';
import type { RecordLayout } from './recordLayout';

/** Layout of exported readings. */
export const readingLayout: RecordLayout<Reading> = {
  fixed: FIXED_COLUMNS,
  fixedValues: (reading) => FIXED_COLUMNS.map((column) => valueIn(reading, column)),
  root: PAYLOAD_ROOT,
  data: ({ data }) => data,
  overflowName: `${PAYLOAD_ROOT} (further)`,
  json: (readings, between) => new TextEncoder().encode(readings.map(readingJson).join(between)),
};

/** Formats a reading with all of its metadata as JSON on one line. The payload is unchanged. */
export function readingJson({ at, receivedAt, source, tags, data }: Reading): string {
  return JSON.stringify({
    time: isoMicros(at),
    ...(receivedAt !== undefined && { received: isoMicros(receivedAt) }),
    organizationId: source.organizationId,
    locationId: source.locationId,
    machineId: source.machineId,
    machine: source.machineName,
    partId: source.partId,
    part: source.partName,
    componentType: source.componentType,
    component: source.componentName,
    method: source.method,
    tags,
    data,
  });
}
