import type { SensorData, UploadMetadata } from '../../../gen/viam/app/datasync/v1/data_sync_pb';
import { inSlices } from '../../../base/slices';
import { checkJson } from '../../config/jsonLimits';
import { invalid, notFound } from '../../errors';
import type { ReadingsLake } from '../../lake/readingsLake';
import { componentKind, serializeMethodParameters } from '../../messages/dataMessages';
import { parameterLines, unpackParameters } from '../../messages/methodParameters';
import { findCapturer } from '../../store/data/capturer';
import { joinLines } from '../../store/data/lines';
import { insertReadings, type NewReading } from '../../store/data/readings';
import { newId } from '../../store/identifiers';
import type { Micros } from '../../store/micros';
import type { SharedCommits } from '../../store/sharedCommits';
import { type HandlerDependencies, requireName } from '../handlerSupport';
import { toStoredTime } from '../wireTimes';
import { requireTags } from './requireTags';

/** Maximum size of one reading in the wire protocol: 4 MB of JSON. */
const MAX_READING_BYTES = 4_000_000;

/** Dependencies for storing readings. */
export interface ReadingsDependencies extends HandlerDependencies {
  lake: ReadingsLake;
  commits: SharedCommits;
}

/**
 * Stores the readings of one upload and returns its ID. Durably stores either all of the readings
 * or none.
 * @throws NotFound if the part was deleted, InvalidArgument if contents are not valid readings, are
 *   too large, or have times that can't be stored.
 */
export async function storeReadings(
  { now, lake, commits }: ReadingsDependencies,
  metadata: UploadMetadata,
  contents: readonly SensorData[],
): Promise<string> {
  requireName(metadata.componentType, 'metadata.component_type');
  requireName(metadata.componentName, 'metadata.component_name');
  requireName(metadata.methodName, 'metadata.method_name');
  requireTags(metadata.tags);
  const syncedAt = now();
  const readings = await inSlices(parseReadings(contents, syncedAt));
  const lines = parameterLines(unpackParameters(metadata.methodParameters));
  const organizationId = await commits.run(async (transaction) => {
    const capturer = await findCapturer(transaction, metadata.partId);
    if (capturer === undefined) {
      throw notFound('part', metadata.partId);
    }
    const series = {
      ...capturer,
      component_type: metadata.componentType,
      component_kind: componentKind(metadata.componentType),
      component_name: metadata.componentName,
      method_name: metadata.methodName,
      method_parameters: serializeMethodParameters(metadata.methodParameters),
      parameters: joinLines(lines),
      tags: joinLines([...new Set(metadata.tags)].map((tag) => JSON.stringify(tag))),
    };
    await insertReadings(transaction, series, readings, syncedAt);
    return capturer.organization_id;
  });
  lake.readingsArrived(organizationId, readings.length);
  return newId();
}

function* parseReadings(
  contents: readonly SensorData[],
  now: Micros,
): Generator<NewReading, NewReading[], void> {
  const readings: NewReading[] = [];
  for (const [index, content] of contents.entries()) {
    const reading = parseReading(content, index, now);
    readings.push(reading);
    yield reading;
  }
  return readings;
}

function parseReading({ data, metadata }: SensorData, index: number, now: Micros): NewReading {
  const field = `sensor_contents[${String(index)}]`;
  if (data.case !== 'struct') {
    throw invalid(`${field}: a reading must have its values in struct`);
  }
  checkJson(data.value, `${field}.struct`);
  const payload = JSON.stringify(data.value);
  if (Buffer.byteLength(payload) > MAX_READING_BYTES) {
    throw invalid(`${field}.struct: a reading must not be larger than 4 MB as JSON`);
  }
  const { timeRequested, timeReceived } = metadata ?? {};
  const requested = toStoredTime(timeRequested, `${field}.metadata.time_requested`);
  const received = toStoredTime(timeReceived, `${field}.metadata.time_received`);
  return {
    requestedAt: requested ?? received ?? now,
    receivedAt: received ?? requested ?? now,
    payload,
  };
}
