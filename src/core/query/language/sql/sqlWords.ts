/** Keywords of clauses and operators, in the order in which they are suggested. */
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

/** Types for casts. */
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
  ...['FETCH', 'NEXT', 'ONLY', 'REPEATABLE'],
];

/** All words that have a special meaning and therefore aren't column names. */
export const OWN_WORDS: ReadonlySet<string> = new Set(
  [...KEYWORDS, ...TYPES, ...UNITS, ...FURTHER].flatMap((words) => words.split(' ')),
);

/**
 * Keywords that DuckDB accepts as column names only after AS or in quotes: all that are neither
 * reserved nor part of an operator. A test compares this list with the installed version.
 */
export const ALIASES_AFTER_AS: ReadonlySet<string> = new Set(
  `
  abort absolute access action add admin after aggregate also alter always assertion assignment
  attach attribute backward before begin between bigint bit boolean cache call called cascade
  cascaded catalog centuries century chain char character characteristics checkpoint class close
  cluster coalesce comment comments commit committed compression configuration conflict
  connection constraints content continue conversion copy cost csv cube current cursor cycle data
  database day days deallocate dec decade decades decimal declare defaults deferred definer
  delete delimiter delimiters depends detach dictionary disable discard document domain double
  drop each enable encoding encrypted enum error escape event exclude excluding exclusive execute
  exists explain export export_state extension extensions external extract family filter first
  float following force forward function functions global grant granted grouping grouping_id
  groups handler header hold hour hours identity if ignore immediate immutable implicit import
  include including increment index indexes inherit inherits inline inout input insensitive
  insert install instead int integer interval invoker isolation json key label language large
  last leakproof level listen load local location lock locked logged macro mapping match matched
  materialized maxvalue merge method microsecond microseconds millennia millennium millisecond
  milliseconds minute minutes minvalue mode month months move name names national nchar new next
  no none nothing notify nowait nullif nulls numeric object of off oids old operator option
  options ordinality others out over overlay overriding owned owner parallel parser partial
  partition partitioned passing password percent persistent plans policy position pragma
  preceding precision prepare prepared preserve prior privileges procedural procedure program
  publication quarter quarters quote range read real reassign recheck recursive ref referencing
  refresh reindex relative release rename repeatable replace replica reset respect restart
  restrict returns revoke role rollback rollup row rows rule sample savepoint schema schemas
  scope scroll search second seconds secret security sequence sequences serializable server
  session set setof sets share simple skip smallint snapshot sorted source sql stable standalone
  start statement statistics stdin stdout storage stored strict strip subscription substring
  sysid system tables tablespace target temp template temporary text ties time timestamp
  transaction transform treat trigger trim truncate trusted type types unbounded uncommitted
  unencrypted unknown unlisten unlogged until update use user vacuum valid validate validator
  value values varchar variable varying version view views virtual volatile week weeks whitespace
  within without work wrapper write xml xmlattributes xmlconcat xmlelement xmlexists xmlforest
  xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable year years yes zone
  `
    .trim()
    .split(/\s+/),
);
