import type { OrganizationId } from '../../model/ids';
import type { QuerySource } from '../querySource';
import {
  type FieldType,
  PAYLOAD,
  type QuerySchema,
  READINGS_COLUMNS,
  type SchemaField,
} from './querySchema';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Time ranges, in days, in which to search for readings, shortest first. A limited time range makes
 * the query cheap if there are many readings.
 */
const DAYS = [1, 30, 3650] as const;
/**
 * Number of latest readings to read. The sample contains only some readings from each component.
 */
const LATEST = 20_000;
const MAX_ROWS = 500;

/**
 * Samples an organization's latest readings: the first and last reading from each component.
 * @param now time in milliseconds since 1970
 * @throws errors from the source.
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

/**
 * Maximum number of fields. Without a limit, payloads whose keys are data, such as times, would
 * create unlimited fields.
 */
const MAX_FIELDS = 2_000;
const MAX_DEPTH = 16;
const MAX_VALUES = 200;

/** Sampled reading, which contains only the columns that the sample query selects. */
export type SampledReading = Readonly<Record<string, unknown>>;

/** Columns whose values are suggested, because they contain names that users know. */
export const NAMED_COLUMNS = ['component_name', 'component_type', 'method_name'] as const;

/**
 * Infers a schema from sampled readings: the fields in their payloads with their types, and the
 * names that occur in columns.
 */
export function sampledSchema(readings: Iterable<SampledReading>): QuerySchema {
  const root = newField();
  const values = new Map(NAMED_COLUMNS.map((column) => [column as string, new Set<string>()]));
  let count = 0;
  for (const reading of readings) {
    count = addMembers(root, reading[PAYLOAD], count, 0);
    for (const [column, known] of values) {
      const value = reading[column];
      if (typeof value === 'string' && value !== '' && known.size < MAX_VALUES) known.add(value);
    }
  }
  return {
    columns: READINGS_COLUMNS,
    fields: listFields(root, []),
    values: new Map([...values].map(([column, known]) => [column, [...known].sort()])),
    isSampled: true,
  };
}

interface Found {
  readonly types: Set<FieldType>;
  readonly within: Map<string, Found>;
}

function newField(): Found {
  return { types: new Set(), within: new Map() };
}

function addMembers(field: Found, value: unknown, count: number, depth: number): number {
  if (!isObject(value) || depth >= MAX_DEPTH) return count;
  let known = count;
  for (const [name, member] of Object.entries(value)) {
    let inner = field.within.get(name);
    if (!inner) {
      if (known >= MAX_FIELDS) continue;
      known += 1;
      inner = newField();
      field.within.set(name, inner);
    }
    inner.types.add(detectFieldType(member));
    known = addMembers(inner, member, known, depth + 1);
  }
  return known;
}

function detectFieldType(value: unknown): FieldType {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      if (value === null || value === undefined) return 'nothing';
      if (Array.isArray(value)) return 'list';
      return value instanceof Date ? 'time' : detectObjectType(value);
  }
}

/** Detects the type of a BSON object. Numbers that JavaScript can't represent are BSON objects. */
function detectObjectType(value: object): FieldType {
  const type: unknown = Reflect.get(value, '_bsontype');
  if (type === undefined) return 'object';
  return typeof type === 'string' && /^(?:Long|Int32|Double|Decimal128)$/.test(type)
    ? 'number'
    : 'mixed';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && detectFieldType(value) === 'object';
}

function listFields({ within }: Found, path: readonly string[]): SchemaField[] {
  return [...within].flatMap(([name, field]) => {
    const own = [...path, name];
    return [{ path: own, type: oneType(field.types) }, ...listFields(field, own)];
  });
}

function oneType(types: ReadonlySet<FieldType>): FieldType {
  const [type = 'nothing', another] = [...types].filter((one) => one !== 'nothing');
  return another === undefined ? type : 'mixed';
}
