import { Buffer } from 'node:buffer';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type DataValue, getDigits, isDataObject, isExactNumber } from '../data/tables/dataValue';
import { formatPlainValue } from '../data/tables/formatCell';
import type { OrganizationId } from '../model/ids';
import type { QueryLanguage } from '../model/query';
import { documentAt } from '../query/results/bson/bsonValue';
import { spellPath } from '../query/schema/querySchema';
import { sampledSchema, sampleReadings } from '../query/schema/sampledSchema';
import { type AgentTool, LONG_TIMEOUT_MS, readTool, type ToolContext } from './agentTool';
import { ORGANIZATION, requireOrganization } from './toolParameters';
import { MAX_RESULT_LENGTH } from './storedResults';
import { LIMIT_SENTENCE } from './toolAnswer';
import { flag, integer, json, list, object, text } from './toolSchema';

/** Maximum number of rows that a query reads before it is canceled. */
const MAX_QUERY_ROWS = 10_000;
/** Maximum number of sampled fields to list. */
const MAX_FIELDS = 500;
/** Maximum number of bytes of a binary value to show. */
const MAX_SHOWN_BYTES = 64;

const SERIES_QUERY = `SELECT part_id, component_type, component_name, method_name,
  count(*) AS readings, min(time_received) AS first_received, max(time_received) AS last_received
FROM readings GROUP BY part_id, component_type, component_name, method_name ORDER BY readings DESC`;

const describeSensorData = readTool({
  name: 'fleetwright_describe_sensor_data',
  title: 'Describe Sensor Data',
  description: `Describes the captured readings of an organization: the columns of the table readings, the fields in sampled payloads with their types, and the number of readings of each component with the time range. Use it before writing a query. ${LIMIT_SENTENCE}`,
  permission: 'read_robot_data_management',
  input: object({ organizationId: ORGANIZATION }),
  output: object({
    columns: list(object({ name: text(), type: text() })),
    fields: list(
      object({ path: text('Path in SQL, such as data.readings.temperature.'), type: text() }),
    ),
    series: list(json('Number of readings of a component, and their time range.')),
  }),
  rows: 'series',
  timeoutMs: LONG_TIMEOUT_MS,
  run: async ({ organizationId }, context) => {
    const { stores, signal, clock } = context;
    const organization = await requireOrganization(context, organizationId);
    const now = clock.now().getTime();
    const [samples, counts] = await Promise.all([
      sampleReadings(stores.queries, organization, now, signal),
      runQuery(context, organization, 'sql', SERIES_QUERY),
    ]);
    const { columns, fields } = sampledSchema(samples);
    return {
      data: {
        columns: columns.map(({ name, sqlType }) => ({ name, type: sqlType })),
        fields: fields
          .slice(0, MAX_FIELDS)
          .map(({ path, type }) => ({ path: spellPath(['data', ...path]), type })),
        series: counts.rows,
      },
    };
  },
});

const QUERY_OUTPUT = object({
  rows: list(json('Row of the result.')),
  isTruncated: flag(`True if the result has more than ${MAX_QUERY_ROWS} rows or 1 MiB.`),
  milliseconds: integer('Duration of the query.'),
});

function queryTool(
  language: QueryLanguage,
  definition: { readonly title: string; readonly query: string; readonly description: string },
): AgentTool {
  return readTool({
    name: `fleetwright_run_${language}`,
    title: definition.title,
    description: `${definition.description} The query can only read. At most ${MAX_QUERY_ROWS} rows or 1 MiB are read; add a limit and a time range. ${LIMIT_SENTENCE}`,
    permission: 'read_robot_data_management',
    input: object({
      query: text(definition.query, 50_000),
      organizationId: ORGANIZATION,
    }),
    output: QUERY_OUTPUT,
    rows: 'rows',
    timeoutMs: LONG_TIMEOUT_MS,
    run: async ({ query, organizationId }, context) => {
      const organization = await requireOrganization(context, organizationId);
      const started = context.clock.now().getTime();
      const { rows, isTruncated } = await runQuery(context, organization, language, query);
      const milliseconds = context.clock.now().getTime() - started;
      return { data: { rows, isTruncated, milliseconds } };
    },
  });
}

const runSql = queryTool('sql', {
  title: 'Run SQL Query',
  query: 'SELECT statement for the table readings. Payloads are in the column data.',
  description:
    "Runs an SQL query for an organization's readings. fleetwright_describe_sensor_data describes the columns.",
});

const runMql = queryTool('mql', {
  title: 'Run MQL Query',
  query: 'Aggregation pipeline as a JSON list of stages.',
  description:
    "Runs a MongoDB aggregation pipeline for an organization's readings. fleetwright_describe_sensor_data describes the fields.",
});

interface QueryRows {
  readonly rows: readonly JsonObject[];
  readonly isTruncated: boolean;
}

async function runQuery(
  { stores, signal, reportProgress }: ToolContext,
  organizationId: OrganizationId,
  language: QueryLanguage,
  query: string,
): Promise<QueryRows> {
  const rows: JsonObject[] = [];
  let bytes = 0;
  const request = { organizationId, language, text: query, recent: false };
  // Leaving the loop cancels the query on the service.
  for await (const batch of stores.queries.run(request, signal)) {
    for (const row of batch) {
      bytes += row.byteLength;
      if (rows.length >= MAX_QUERY_ROWS || bytes > MAX_RESULT_LENGTH) {
        return { rows, isTruncated: true };
      }
      rows.push(toJson(documentAt(Buffer.from(row), 0)) as JsonObject);
    }
    reportProgress(rows.length, undefined);
  }
  return { rows, isTruncated: false };
}

/** Converts a value of a row to JSON. Numbers that JSON can't represent exactly become text. */
function toJson(value: DataValue): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  if (isExactNumber(value)) return getDigits(value);
  if (value instanceof Uint8Array) {
    const shown = formatPlainValue(value.subarray(0, MAX_SHOWN_BYTES));
    return value.length > MAX_SHOWN_BYTES ? `${shown}… (${value.length} bytes)` : shown;
  }
  if (isDataObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, toJson(member)]),
    );
  }
  return value instanceof Date ? formatPlainValue(value) : value.map(toJson);
}

export const dataTools: readonly AgentTool[] = [describeSensorData, runSql, runMql];
