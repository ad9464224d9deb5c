import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { splitLines } from '../store/data/lines';
import type { UnsealedRange } from '../store/data/lakeManifest';
import { toUtcDay } from '../store/data/readingsDays';
import { readingsInOrder } from '../store/data/readingsArrival';
import { getSeriesByIds } from '../store/data/readingsPages';
import type { ReadingRow, ReadingSeriesRow } from '../store/data/readingsSchema';
import type { StoreAccess } from '../store/store';

/** Maximum number of rows that one job seals. */
const MAX_ROWS = 200_000;
const MAX_BYTES = 128 * 1024 * 1024;

const OWNER_ONLY_FILE = 0o600;

/** Input of a job, and the range of readings that the input covers. */
export interface SealSource {
  readings: string;
  series: string;
  /** ID of the last reading in the range. */
  through: number;
  rowCount: number;
}

/** Returns the names of the files of a source. */
export function sourceNames(prefix: string): [readings: string, series: string] {
  return [`${prefix}.readings`, `${prefix}.series`];
}

/**
 * Writes the next readings of a range to files for a job to seal.
 * @param signal aborts the write.
 */
export async function writeSealSource(
  access: StoreAccess,
  organizationId: string,
  range: UnsealedRange,
  { directory, prefix }: { directory: string; prefix: string },
  signal: AbortSignal,
): Promise<SealSource> {
  const names = sourceNames(prefix);
  const readings = join(directory, names[0]);
  const series = join(directory, names[1]);
  const ids = new Set<number>();
  const done = { through: range.through, rowCount: 0, bytes: 0 };
  const lines = async function* (): AsyncGenerator<string> {
    for await (const rows of readingsInOrder(access, organizationId, range)) {
      yield rows.map(toReadingLine).join('');
      for (const { series_id, size } of rows) {
        ids.add(series_id);
        done.bytes += size;
      }
      done.rowCount += rows.length;
      if (done.rowCount >= MAX_ROWS || done.bytes >= MAX_BYTES) {
        done.through = rows.at(-1)?.id ?? done.through;
        return;
      }
    }
  };
  const options = { mode: OWNER_ONLY_FILE };
  await pipeline(Readable.from(lines()), createWriteStream(readings, options), { signal });
  const found = await getSeriesByIds(access, [...ids]);
  const seriesLines = Readable.from([...found.values()].map(toSeriesLine));
  await pipeline(seriesLines, createWriteStream(series, options), { signal });
  return { readings, series, through: done.through, rowCount: done.rowCount };
}

// Formats a reading as one line. The payload is already single-line JSON.
function toReadingLine(row: ReadingRow): string {
  return (
    `{"id":${String(row.id)},"series_id":${String(row.series_id)},` +
    `"day":${String(toUtcDay(row.requested_at))},"synced_at":${String(row.synced_at)},` +
    `"requested_at":${String(row.requested_at)},"received_at":${String(row.received_at)},` +
    `"data":${row.payload}}\n`
  );
}

function toSeriesLine(row: ReadingSeriesRow): string {
  const { organization_id, location_id, robot_id, part_id } = row;
  const { component_type, component_name, method_name } = row;
  const json = JSON.stringify({
    series_id: row.id,
    ...{ organization_id, location_id, robot_id, part_id },
    ...{ component_type, component_name, method_name },
  });
  const tags = `[${splitLines(row.tags).join(',')}]`;
  const parameters = `{${splitLines(row.parameters).join(',')}}`;
  return `${json.slice(0, -1)},"tags":${tags},"additional_parameters":${parameters}}\n`;
}
