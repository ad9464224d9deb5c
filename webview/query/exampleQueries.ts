import * as l10n from '@vscode/l10n';
import type { QueryLanguage } from '../../src/shared/query/editor';

/** The example queries of a panel before the first run. */
export const queryExamples = ['latest', 'perHour', 'ofPart'] as const;
export type QueryExample = (typeof queryExamples)[number];

const DAY = 86_400_000;

/**
 * Returns an example query. All examples have a start time, because the public cloud returns no
 * results otherwise.
 *
 * @param now in milliseconds since 1970
 */
export function exampleQuery(
  example: QueryExample,
  { language, now }: { readonly language: QueryLanguage; readonly now: number },
): string {
  return language === 'sql' ? sqlExamples[example] : mqlExample(example, now);
}

const sqlExamples: Readonly<Record<QueryExample, string>> = {
  latest: `SELECT time_received, robot_id, component_name, data
FROM readings
WHERE time_received >= now() - INTERVAL 1 DAY
ORDER BY time_received DESC
LIMIT 100`,
  perHour: `SELECT date_trunc('hour', time_received) AS hour, component_name, count(*) AS readings
FROM readings
WHERE time_received >= now() - INTERVAL 1 DAY
GROUP BY hour, component_name
ORDER BY hour, component_name
LIMIT 1000`,
  ofPart: `SELECT time_received, component_name, data
FROM readings
WHERE part_id = :part_id
  AND time_received >= now() - INTERVAL 1 DAY
ORDER BY time_received DESC
LIMIT 1000`,
};

function mqlExample(example: QueryExample, now: number): string {
  const from = `{ "$gte": { "$date": "${new Date(now - DAY).toISOString().slice(0, 19)}Z" } }`;
  switch (example) {
    case 'latest':
      return `[
  { "$match": { "time_received": ${from} } },
  { "$sort": { "time_received": -1 } },
  { "$limit": 100 }
]`;
    case 'perHour':
      return `[
  { "$match": { "time_received": ${from} } },
  {
    "$group": {
      "_id": {
        "hour": { "$dateTrunc": { "date": "$time_received", "unit": "hour" } },
        "component": "$component_name"
      },
      "readings": { "$sum": 1 }
    }
  },
  { "$sort": { "_id": 1 } },
  { "$limit": 1000 }
]`;
    case 'ofPart':
      return `[
  {
    "$match": {
      "part_id": "{{part_id}}",
      "time_received": ${from}
    }
  },
  { "$sort": { "time_received": -1 } },
  { "$limit": 1000 }
]`;
  }
}

/** Returns the titles of the example queries. */
export function getExampleNames(): Readonly<Record<QueryExample, string>> {
  return {
    latest: l10n.t('The latest readings'),
    perHour: l10n.t('Readings per Hour and Component'),
    ofPart: l10n.t('Readings of one part'),
  };
}
