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
  [...KEYWORDS, ...TYPES, ...UNITS, ...FURTHER].flatMap((phrase) => phrase.split(' ')),
);

/**
 * Keywords that DuckDB accepts as column names only after AS or in quotes: all keywords that are
 * neither reserved nor part of an operator. A test compares this list with the installed version.
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

/** Function in the query engine, with its parameters and result type. */
export interface SqlFunction {
  readonly name: string;
  /** The function's parameters, such as `part, time`. */
  readonly takes: string;
  readonly answers: string;
}

/** Functions, one line for each signature: parameters, result type, and names. */
const FUNCTIONS: readonly (readonly [takes: string, answers: string, names: string])[] = [
  // Aggregate functions.
  ['value', 'BIGINT', 'count approx_count_distinct'],
  ['condition', 'BIGINT', 'count_if'],
  ['number', 'DOUBLE', 'avg sum median stddev stddev_samp stddev_pop variance var_samp var_pop'],
  ['number', 'DOUBLE', 'product kurtosis skewness mad sem geometric_mean'],
  ['value', 'value', 'min max first last any_value mode'],
  ['value, by', 'value', 'arg_min arg_max min_by max_by'],
  ['number, share', 'DOUBLE', 'quantile_cont quantile_disc approx_quantile'],
  ['y, x', 'DOUBLE', 'corr covar_pop covar_samp regr_slope regr_intercept regr_r2 regr_count'],
  ['value', 'LIST', 'list array_agg'],
  ['text, separator', 'VARCHAR', 'string_agg'],
  ['value', 'MAP', 'histogram'],
  ['condition', 'BOOLEAN', 'bool_and bool_or'],
  ['value', 'DOUBLE', 'entropy'],
  // Window functions, which require OVER.
  ['', 'BIGINT', 'row_number rank dense_rank'],
  ['', 'DOUBLE', 'percent_rank cume_dist'],
  ['buckets', 'BIGINT', 'ntile'],
  ['value, rows, default', 'value', 'lag lead'],
  ['value', 'value', 'first_value last_value'],
  ['value, row', 'value', 'nth_value'],
  // Functions for times.
  ['', 'TIMESTAMP', 'now'],
  ['', 'DATE', 'today current_date'],
  ['part, time', 'TIMESTAMP', 'date_trunc'],
  ['part, time', 'BIGINT', 'date_part'],
  ['part, start, end', 'BIGINT', 'date_diff date_sub'],
  ['interval, time', 'TIMESTAMP', 'time_bucket'],
  ['time', 'BIGINT', 'year month day hour minute second millisecond microsecond quarter week'],
  ['time', 'BIGINT', 'dayofweek isodow dayofyear weekofyear yearweek epoch_ms epoch_us epoch_ns'],
  ['time', 'DOUBLE', 'epoch'],
  ['time', 'VARCHAR', 'dayname monthname'],
  ['time', 'DATE', 'last_day'],
  ['time, format', 'VARCHAR', 'strftime'],
  ['text, format', 'TIMESTAMP', 'strptime try_strptime'],
  ['seconds', 'TIMESTAMP', 'to_timestamp'],
  ['year, month, day', 'DATE', 'make_date'],
  ['year, month, day, hour, minute, seconds', 'TIMESTAMP', 'make_timestamp'],
  ['later, earlier', 'INTERVAL', 'age'],
  ['number', 'INTERVAL', 'to_seconds to_minutes to_hours to_days to_weeks to_months to_years'],
  // Functions for numbers.
  ['number', 'number', 'abs ceil floor sign trunc'],
  ['number, digits', 'number', 'round'],
  ['number', 'DOUBLE', 'sqrt cbrt exp ln log2 log10 sin cos tan asin acos atan degrees radians'],
  ['base, exponent', 'DOUBLE', 'pow'],
  ['y, x', 'DOUBLE', 'atan2'],
  ['number, divisor', 'number', 'mod fmod'],
  ['value, value, …', 'value', 'greatest least'],
  ['', 'DOUBLE', 'pi random'],
  ['number', 'BOOLEAN', 'isnan isinf isfinite'],
  // Functions for strings.
  ['text', 'VARCHAR', 'lower upper trim ltrim rtrim reverse strip_accents md5 sha256'],
  ['text', 'BIGINT', 'length strlen ascii'],
  ['text, text, …', 'VARCHAR', 'concat'],
  ['separator, text, …', 'VARCHAR', 'concat_ws'],
  ['text, text', 'BOOLEAN', 'contains starts_with ends_with'],
  ['text, from, length', 'VARCHAR', 'substring substr'],
  ['text, length', 'VARCHAR', 'left right'],
  ['text, length, fill', 'VARCHAR', 'lpad rpad'],
  ['text, from, to', 'VARCHAR', 'replace translate'],
  ['text, times', 'VARCHAR', 'repeat'],
  ['text, separator', 'LIST', 'string_split'],
  ['text, separator, place', 'VARCHAR', 'split_part'],
  ['text, text', 'BIGINT', 'strpos instr levenshtein jaccard'],
  ['text, pattern', 'BOOLEAN', 'regexp_matches regexp_full_match'],
  ['text, pattern, group', 'VARCHAR', 'regexp_extract'],
  ['text, pattern, group', 'LIST', 'regexp_extract_all'],
  ['text, pattern, text', 'VARCHAR', 'regexp_replace'],
  ['pattern, value, …', 'VARCHAR', 'format printf'],
  // Functions for JSON.
  ['json, path', 'JSON', 'json_extract'],
  ['json, path', 'VARCHAR', 'json_extract_string'],
  ['json, path', 'BOOLEAN', 'json_exists'],
  ['json, json', 'BOOLEAN', 'json_contains'],
  ['json', 'LIST', 'json_keys'],
  ['json', 'BIGINT', 'json_array_length'],
  ['json', 'VARCHAR', 'json_type json_structure'],
  ['json', 'BOOLEAN', 'json_valid'],
  ['value', 'JSON', 'to_json'],
  // Functions for lists.
  ['list', 'BIGINT', 'len array_length'],
  ['list, value', 'BOOLEAN', 'list_contains list_has'],
  ['list, list', 'BOOLEAN', 'list_has_any list_has_all'],
  ['list, value', 'BIGINT', 'list_position'],
  ['list', 'LIST', 'list_sort list_reverse_sort list_distinct list_reverse flatten'],
  ['list', 'number', 'list_sum list_avg list_min list_max list_count'],
  ['list, function', 'LIST', 'list_transform list_filter'],
  ['list, function', 'value', 'list_reduce'],
  ['list, from, to', 'LIST', 'list_slice'],
  ['list', 'rows', 'unnest'],
  ['start, stop, step', 'LIST', 'range generate_series'],
  ['list, separator', 'VARCHAR', 'array_to_string'],
  // Functions for values of any type.
  ['value, value, …', 'value', 'coalesce'],
  ['value, value', 'value', 'ifnull nullif'],
  ['condition, value, value', 'value', 'if'],
  ['value', 'VARCHAR', 'typeof'],
  ['value', 'BIGINT', 'hash'],
];

/** Commonly used functions that queries can call, with their parameters. */
export const SQL_FUNCTIONS: readonly SqlFunction[] = FUNCTIONS.flatMap(([takes, answers, names]) =>
  names.split(' ').map((name) => ({ name, takes, answers })),
);

/** Formats a function's signature, such as `date_trunc(part, time) → TIMESTAMP`. */
export function formatSignature({ name, takes, answers }: SqlFunction): string {
  return `${name}(${takes}) → ${answers}`;
}
