/** Function in the query engine, with its parameters and result type. */
export interface SqlFunction {
  readonly name: string;
  /** Parameters of the function, such as `part, time`. */
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
  // Functions for texts.
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

/** Formats the signature of a function, such as `date_trunc(part, time) → TIMESTAMP`. */
export function formatSignature({ name, takes, answers }: SqlFunction): string {
  return `${name}(${takes}) → ${answers}`;
}
