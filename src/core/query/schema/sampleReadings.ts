import type { OrganizationId } from '../../model/ids';
import type { QuerySource } from '../querySource';
import type { SampledReading } from './sampledSchema';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Time ranges in days in which to search for readings, shortest first, because a limited time range
 * makes the query cheap if there are many readings.
 */
const DAYS = [1, 30, 3650] as const;
/** Number of latest readings to read. The sample contains only some readings of each component. */
const LATEST = 20_000;
const MAX_ROWS = 500;

/**
 * Samples the latest readings of an organization: the first and last reading of each component.
 * @param now time in milliseconds since 1970
 * @throws errors of the source.
 */
export async function sampleReadings(
  source: QuerySource,
  organizationId: OrganizationId,
  now: number,
  signal: AbortSignal,
): Promise<readonly SampledReading[]> {
  const { deserialize } = await import('bson');
  for (const days of DAYS) {
    const since = new Date(now - days * DAY_MS).toISOString();
    const text = JSON.stringify(pipelineSince(since));
    const query = { organizationId, language: 'mql', text, recent: false } as const;
    const readings: SampledReading[] = [];
    for await (const batch of source.run(query, signal)) {
      for (const row of batch) {
        const { _id, first, last } = deserialize(row) as Readonly<Record<string, unknown>>;
        const names = typeof _id === 'object' ? _id : {};
        readings.push({ ...names, data: first }, { ...names, data: last });
      }
    }
    if (readings.length > 0) return readings;
  }
  return [];
}

function pipelineSince(since: string): unknown[] {
  const id = { component_type: '$component_type', component_name: '$component_name' };
  return [
    { $match: { time_received: { $gte: { $date: since } } } },
    { $sort: { time_received: -1 } },
    { $limit: LATEST },
    {
      $group: {
        _id: { ...id, method_name: '$method_name' },
        first: { $first: '$data' },
        last: { $last: '$data' },
      },
    },
    { $limit: MAX_ROWS },
  ];
}
