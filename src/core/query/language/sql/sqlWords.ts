/** Words that begin or join parts of a query; in completions they come in this order. */
export const KEYWORDS: readonly string[] = [
  ...['SELECT', 'FROM', 'WHERE', 'GROUP BY', 'ORDER BY', 'LIMIT', 'HAVING', 'AND', 'OR', 'NOT'],
  ...['AS', 'DISTINCT', 'IN', 'BETWEEN', 'LIKE', 'ILIKE', 'IS NULL', 'IS NOT NULL'],
  ...[
    'CASE',
    'WHEN',
    'THEN',
    'ELSE',
    'END',
    'WITH',
    'JOIN',
    'LEFT JOIN',
    'CROSS JOIN',
    'ASOF JOIN',
  ],
  ...['ON', 'USING', 'UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT', 'OFFSET', 'ASC', 'DESC'],
  ...['NULLS FIRST', 'NULLS LAST', 'INTERVAL', 'TIMESTAMP', 'DATE', 'OVER', 'PARTITION BY'],
  ...[
    'FILTER',
    'QUALIFY',
    'WINDOW',
    'ROWS BETWEEN',
    'USING SAMPLE',
    'EXISTS',
    'ANY',
    'ALL',
    'EXCLUDE',
  ],
  ...['REPLACE', 'CAST', 'TRY_CAST', 'TRUE', 'FALSE', 'NULL', 'SIMILAR TO', 'DESCRIBE'],
];

/** Types that values are cast to. */
export const TYPES: readonly string[] = [
  ...['DOUBLE', 'BIGINT', 'INTEGER', 'VARCHAR', 'BOOLEAN', 'TIMESTAMP', 'DATE', 'TIME', 'INTERVAL'],
  ...['JSON', 'DECIMAL', 'FLOAT', 'HUGEINT', 'SMALLINT', 'TINYINT', 'UBIGINT', 'UUID', 'BLOB'],
  ...['TIMESTAMPTZ', 'REAL', 'TEXT', 'INT'],
];

/** Units of time. */
export const UNITS: readonly string[] = [
  ...['DAY', 'HOUR', 'MINUTE', 'SECOND', 'WEEK', 'MONTH', 'YEAR', 'QUARTER', 'MILLISECOND'],
  'MICROSECOND',
];

const FURTHER = [
  ...['BY', 'ALL', 'ANTI', 'ASOF', 'AT', 'BOTH', 'COLLATE', 'COLUMNS', 'CUBE', 'CURRENT', 'ESCAPE'],
  ...[
    'FIRST',
    'FOLLOWING',
    'FOR',
    'FULL',
    'GLOB',
    'GROUP',
    'GROUPING',
    'GROUPS',
    'IGNORE',
    'INNER',
  ],
  ...['IS', 'ISNULL', 'LAST', 'LATERAL', 'LEADING', 'LEFT', 'MATERIALIZED', 'NAME', 'NATURAL'],
  ...['NOTNULL', 'NULLS', 'ORDER', 'ORDINALITY', 'OUTER', 'PARTITION', 'PERCENT', 'PIVOT'],
  ...['POSITIONAL', 'PRECEDING', 'PRECISION', 'RANGE', 'RECURSIVE', 'RENAME', 'RESPECT', 'RIGHT'],
  ...[
    'ROLLUP',
    'ROW',
    'ROWS',
    'SAMPLE',
    'SEMI',
    'SETS',
    'SIMILAR',
    'SOME',
    'SUMMARIZE',
    'SYMMETRIC',
  ],
  ...[
    'TABLE',
    'TABLESAMPLE',
    'TIES',
    'TO',
    'TRAILING',
    'UNBOUNDED',
    'UNPIVOT',
    'VALUES',
    'VARYING',
  ],
  ...['WITHIN', 'WITHOUT', 'ZONE', 'CROSS', 'LAMBDA', 'SHOW', 'ROWID', 'DEFAULT', 'EPOCH'],
  ...['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP', 'LOCALTIME', 'LOCALTIMESTAMP'],
  ...['ARRAY', 'STRUCT', 'MAP', 'MAKE', 'OF', 'SET', 'INCLUDE', 'NO', 'OTHERS', 'TIMETZ', 'INT4'],
  ...[
    'INT8',
    'FLOAT4',
    'FLOAT8',
    'NUMERIC',
    'CHAR',
    'STRING',
    'BOOL',
    'LONG',
    'UINTEGER',
    'UTINYINT',
  ],
  ...['USMALLINT', 'UHUGEINT', 'DATETIME', 'BIT', 'BYTEA', 'SIGNED', 'DOY', 'DOW', 'ISODOW', 'ERA'],
  ...['DECADE', 'CENTURY', 'MILLENNIUM', 'DAYS', 'HOURS', 'MINUTES', 'SECONDS', 'WEEKS', 'MONTHS'],
  ...['YEARS', 'QUARTERS', 'MILLISECONDS', 'MICROSECONDS', 'ISOYEAR', 'YEARWEEK', 'TIMEZONE'],
];

/** Every word that has a meaning of its own, and so names no column. */
export const OWN_WORDS: ReadonlySet<string> = new Set(
  [...KEYWORDS, ...TYPES, ...UNITS, ...FURTHER].flatMap((words) => words.split(' ')),
);
