-- Statements that DuckDB accepts over the view `readings`, one after the other, each ending with a
-- semicolon at the end of a line. `sqlCorpus.test.ts` runs each of them and checks that the linter
-- reports no problem with their names.

-- Select lists and aliases
SELECT * FROM readings;
SELECT readings.* FROM readings;
SELECT r.* FROM readings r;
SELECT r.* FROM readings AS r;
SELECT part_id FROM readings;
SELECT PART_ID, Robot_Id FROM Readings;
SELECT "part_id", "robot_id" FROM "readings";
SELECT readings.part_id FROM readings;
SELECT r.part_id, r.data.readings.n FROM readings r;
SELECT part_id AS p, robot_id AS "the robot" FROM readings;
SELECT part_id p, robot_id "the robot" FROM readings;
SELECT 'part' AS kind, 1 AS one, NULL AS nothing, true AS yes FROM readings;
SELECT 1 one, 2.5 half, 'x' x FROM readings;
SELECT part: part_id, n: data.readings.n FROM readings;
SELECT p: part_id, count(*) FROM readings GROUP BY p;
SELECT (data->'readings'->>'i')::int i FROM readings;
SELECT (data->'readings'->>'n')::double n FROM readings;
SELECT (data->'readings'->>'n')::double AS temp FROM readings;
SELECT (data->'readings'->>'n')::double AS value FROM readings;
SELECT data.readings.n::INTEGER i, data.readings.label::VARCHAR l FROM readings;
SELECT data.readings.n::DECIMAL(10, 2) price FROM readings;
SELECT data.readings.n::numeric(5) amount FROM readings;
SELECT data.readings.n::double precision wide FROM readings;
SELECT time_received::timestamp with time zone zoned FROM readings;
SELECT time_received::timestamp without time zone plain FROM readings;
SELECT time_received::timestamptz zoned FROM readings;
SELECT time_received::date d, time_received::time t FROM readings;
SELECT tags::varchar[] words FROM readings;
SELECT tags::varchar[1] words FROM readings;
SELECT data.readings.label::character varying(10) l FROM readings;
SELECT {'a': data.readings.n}::struct(a double) s FROM readings;
SELECT MAP {'a': data.readings.n}::map(varchar, double) m FROM readings;
SELECT CAST(data.readings.n AS DOUBLE) n FROM readings;
SELECT CAST(data.readings.n AS DOUBLE PRECISION) n FROM readings;
SELECT TRY_CAST(data.readings.label AS INTEGER) maybe FROM readings;
SELECT CAST(time_received AS TIMESTAMP WITH TIME ZONE) z FROM readings;
SELECT data.readings.n::bigint::varchar text_of_n FROM readings;
SELECT -(data.readings.n::int) minus_n FROM readings;
SELECT (part_id || '-' || robot_id) both_ids FROM readings;
SELECT part_id || robot_id joined FROM readings;
SELECT ALL part_id FROM readings;
SELECT DISTINCT part_id, robot_id FROM readings;
SELECT DISTINCT ON (part_id) part_id, time_received FROM readings ORDER BY part_id, time_received DESC;
SELECT data.readings.n * 2 doubled, doubled + 1 more FROM readings;
SELECT data.readings.n AS n, n * 2 AS doubled FROM readings WHERE n > 0 ORDER BY doubled;
SELECT max(time_received) latest, min(time_received) earliest, latest - earliest span FROM readings;
SELECT count(*) FROM readings;
SELECT count() FROM readings;
SELECT count(DISTINCT part_id) parts FROM readings;
SELECT [part_id, robot_id] ids FROM readings;
SELECT (part_id, robot_id) pair FROM readings;
SELECT ROW(part_id, robot_id) pair FROM readings;
SELECT 1_000_000 million, 1e3 thousand, .5 half FROM readings;
SELECT $$it's$$ quoted, E'tab\t' tabbed FROM readings;
SELECT part_id /* the part */ p, -- its robot
  robot_id r FROM readings;
SELECT part_id, FROM readings;
SELECT CAST({'a': data.readings.n} AS STRUCT(a DOUBLE, b VARCHAR)).a a FROM readings;
SELECT CAST(data.readings.n AS DECIMAL(18, 3))::varchar exact FROM readings;
SELECT TRY_CAST(part_id AS INTEGER[]) ints, tags::text[]::varchar t FROM readings;

-- Columns that have words of SQL as names
SELECT data.readings.n AS temp, data.readings.n AS value, data.readings.n AS year FROM readings;
SELECT data.readings.n AS "order", data.readings.n AS "group" FROM readings;
SELECT data.readings.n AS select, data.readings.n AS from FROM readings;
SELECT temp + value AS total FROM (SELECT data.readings.n AS temp, 1 AS value FROM readings);
SELECT day, month FROM (SELECT time_received AS day, 1 AS month FROM readings);
WITH hourly AS (SELECT date_trunc('hour', time_received) AS hour, avg(data.readings.n) AS value FROM readings GROUP BY ALL) SELECT hour, value FROM hourly;
SELECT data.readings.n AS location, data.readings.n AS type FROM readings ORDER BY location, type;
SELECT data.readings.n AS position, data.readings.n AS date FROM readings;
SELECT data.readings.n AS second FROM readings WHERE second > 0;

-- Star expressions
SELECT * EXCLUDE (data) FROM readings;
SELECT * EXCLUDE data FROM readings;
SELECT * EXCLUDE (data, tags, additional_parameters) FROM readings;
SELECT * REPLACE (upper(part_id) AS part_id) FROM readings;
SELECT * REPLACE (time_received::date AS time_received, length(tags) AS tags) FROM readings;
SELECT * EXCLUDE (data) REPLACE (lower(part_id) AS part_id) FROM readings;
SELECT * RENAME (part_id AS part) FROM readings;
SELECT * RENAME (part_id AS part, robot_id AS machine) FROM readings;
SELECT * LIKE '%_id' FROM readings;
SELECT * ILIKE 'TIME%' FROM readings;
SELECT * NOT LIKE '%_id' FROM readings;
SELECT * SIMILAR TO '.*_id' FROM readings;
SELECT * GLOB 'time_*' FROM readings;
SELECT r.* EXCLUDE (data) FROM readings r;
SELECT COLUMNS('.*_id') FROM readings;
SELECT COLUMNS(*) FROM readings;
SELECT COLUMNS(* EXCLUDE (data)) FROM readings;
SELECT COLUMNS(c -> c LIKE '%_id') FROM readings;
SELECT COLUMNS(lambda c: c LIKE '%_id') FROM readings;
SELECT min(COLUMNS('time_.*')) FROM readings;
SELECT min(COLUMNS(['time_received', 'time_requested'])) FROM readings;
SELECT COLUMNS('(.*)_id') AS 'the_\1' FROM readings;
SELECT coalesce(*COLUMNS('.*_id')) FROM readings;
SELECT * FROM readings WHERE COLUMNS('time_.*') IS NOT NULL;
SELECT struct_pack(*COLUMNS('.*_id')) ids FROM readings;
SELECT * FROM readings ORDER BY ALL;
SELECT part_id, robot_id FROM readings ORDER BY ALL DESC NULLS LAST;

-- FROM first
FROM readings;
FROM readings SELECT part_id;
FROM readings r SELECT r.part_id, r.robot_id;
FROM readings SELECT part_id p WHERE p <> '' LIMIT 3;
FROM readings WHERE part_id = 'main';
FROM readings SELECT count(*) GROUP BY part_id;
FROM readings SELECT part_id, count(*) n GROUP BY ALL HAVING n > 0 ORDER BY n;
FROM (FROM readings SELECT data.readings.n AS n) SELECT avg(n) mean;
WITH t AS (FROM readings SELECT part_id AS p) FROM t SELECT p;

-- Conditions
SELECT part_id FROM readings WHERE time_received >= now() - INTERVAL 1 DAY;
SELECT part_id FROM readings WHERE time_received >= now() - INTERVAL '1 day';
SELECT part_id FROM readings WHERE time_received >= now() - INTERVAL '1' DAY;
SELECT part_id FROM readings WHERE time_received >= now() - INTERVAL (1 + 1) HOURS;
SELECT part_id FROM readings WHERE time_received >= now() - to_hours(2);
SELECT part_id FROM readings WHERE time_received BETWEEN '2020-01-01' AND now();
SELECT part_id FROM readings WHERE time_received NOT BETWEEN TIMESTAMP '2020-01-01' AND TIMESTAMP '2021-01-01';
SELECT part_id FROM readings WHERE time_received::date = DATE '1970-01-01';
SELECT part_id FROM readings WHERE time_received > current_date - 3650 OR true;
SELECT part_id FROM readings WHERE time_received < current_timestamp;
SELECT part_id FROM readings WHERE part_id IN ('main', 'other');
SELECT part_id FROM readings WHERE part_id NOT IN ('other');
SELECT part_id FROM readings WHERE part_id IN ['main', 'other'];
SELECT part_id FROM readings WHERE 'night' IN tags;
SELECT part_id FROM readings WHERE part_id LIKE 'm%' AND robot_id NOT LIKE 'b%';
SELECT part_id FROM readings WHERE part_id ILIKE 'M%';
SELECT part_id FROM readings WHERE part_id LIKE 'm$%' ESCAPE '$' OR true;
SELECT part_id FROM readings WHERE part_id SIMILAR TO 'm.*';
SELECT part_id FROM readings WHERE part_id GLOB 'm*';
SELECT part_id FROM readings WHERE regexp_matches(part_id, '^m');
SELECT part_id FROM readings WHERE part_id ~ 'm.*';
SELECT part_id FROM readings WHERE part_id !~~ 'x%';
SELECT part_id FROM readings WHERE part_id ^@ 'ma';
SELECT part_id FROM readings WHERE data.readings.n IS NULL;
SELECT part_id FROM readings WHERE data.readings.n IS NOT NULL;
SELECT part_id FROM readings WHERE data.readings.n ISNULL;
SELECT part_id FROM readings WHERE data.readings.n NOTNULL;
SELECT part_id FROM readings WHERE data.readings.n IS DISTINCT FROM 2;
SELECT part_id FROM readings WHERE data.readings.n IS NOT DISTINCT FROM 2;
SELECT part_id FROM readings WHERE data.readings.on IS TRUE OR data.readings.on IS NOT FALSE;
SELECT part_id FROM readings WHERE NOT data.readings.on;
SELECT part_id FROM readings WHERE data.readings.n = 2 OR (data.readings.n > 5 AND data.readings.label != 'x');
SELECT part_id FROM readings WHERE (data->'readings'->>'n')::double > 2;
SELECT part_id FROM readings WHERE (part_id, robot_id) = ('main', 'arm');
SELECT part_id FROM readings WHERE (part_id, robot_id) IN (('main', 'arm'));
SELECT part_id FROM readings WHERE data.readings.n % 2 = 0 AND data.readings.n // 2 >= 1;
SELECT part_id FROM readings WHERE len(tags) > 0 AND tags[1] = 'night';
SELECT part_id FROM readings WHERE list_contains(tags, 'night');
SELECT part_id FROM readings WHERE tags && ['night'];
SELECT part_id FROM readings WHERE tags @> ['night'];
SELECT part_id FROM readings WHERE CASE WHEN data.readings.n > 1 THEN true ELSE false END;

-- Subqueries
SELECT part_id FROM readings WHERE time_received = (SELECT max(time_received) FROM readings);
SELECT part_id FROM readings r WHERE time_received = (SELECT max(s.time_received) FROM readings s WHERE s.part_id = r.part_id);
SELECT part_id FROM readings r WHERE EXISTS (SELECT 1 FROM readings s WHERE s.part_id = r.part_id);
SELECT part_id FROM readings WHERE NOT EXISTS (SELECT 1 FROM readings WHERE part_id = 'nobody');
SELECT part_id FROM readings WHERE part_id IN (SELECT part_id FROM readings);
SELECT part_id FROM readings WHERE part_id = ANY (SELECT part_id FROM readings);
SELECT part_id FROM readings WHERE data.readings.n >= ALL (SELECT data.readings.n FROM readings WHERE data.readings.n IS NOT NULL);
SELECT part_id, (SELECT count(*) FROM readings) total FROM readings;
SELECT part_id, (SELECT avg(data.readings.n) FROM readings s WHERE s.part_id = r.part_id) mean FROM readings r;
SELECT p, n FROM (SELECT part_id p, count(*) n FROM readings GROUP BY 1) counted WHERE n > 0;
SELECT t.p FROM (SELECT part_id FROM readings) AS t(p);
SELECT x FROM (SELECT part_id FROM readings) t(x) WHERE x = 'main';
SELECT ARRAY(SELECT data.readings.n FROM readings ORDER BY 1) numbers;
SELECT array_agg(n ORDER BY n) FROM (SELECT data.readings.n AS n FROM readings);
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(id, name);
SELECT r.part_id, v.name FROM readings r JOIN (VALUES ('main', 'Main part')) v(id, name) ON v.id = r.part_id;
SELECT part_id FROM (SELECT * FROM readings) WHERE part_id = 'main';
(SELECT part_id FROM readings);
(SELECT part_id FROM readings) UNION (SELECT robot_id FROM readings);

-- Common table expressions
WITH recent AS (SELECT * FROM readings WHERE part_id = 'main') SELECT part_id FROM recent;
WITH t(p, n) AS (SELECT part_id, data.readings.n FROM readings) SELECT p, sum(n) FROM t GROUP BY p;
WITH t AS MATERIALIZED (SELECT part_id p FROM readings) SELECT p FROM t;
WITH t AS NOT MATERIALIZED (SELECT part_id p FROM readings) SELECT p FROM t;
WITH a AS (SELECT part_id p, count(*) n FROM readings GROUP BY 1), b AS (SELECT p, n * 2 AS doubled FROM a) SELECT a.p, b.doubled FROM a JOIN b USING (p);
WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < 5) SELECT i FROM t;
WITH RECURSIVE days AS (SELECT min(time_received)::date AS d FROM readings UNION ALL SELECT d + 1 FROM days WHERE d < DATE '1970-01-03') SELECT d, (SELECT count(*) FROM readings WHERE time_received::date = d) n FROM days;
WITH RECURSIVE t(n) USING KEY (n) AS (SELECT 1 UNION SELECT n + 1 FROM t WHERE n < 3) SELECT n FROM t;
WITH t AS (SELECT data.readings.n AS value FROM readings) SELECT value FROM t WHERE value IS NOT NULL;
WITH t AS (SELECT part_id AS part FROM readings) SELECT part, part || 'x' FROM t;
WITH data AS (SELECT 1 AS one) SELECT one FROM data;
WITH mean AS (SELECT avg(data.readings.n) m FROM readings) SELECT part_id, data.readings.n - m deviation FROM readings, mean;
WITH lim AS (SELECT 3 AS most) SELECT part_id FROM readings WHERE data.readings.n < (SELECT most FROM lim);
SELECT * FROM (WITH t AS (SELECT part_id p FROM readings) SELECT p FROM t);

-- Grouping
SELECT part_id, count(*) FROM readings GROUP BY part_id;
SELECT part_id, count(*) n FROM readings GROUP BY 1 ORDER BY 2 DESC;
SELECT part_id, robot_id, count(*) FROM readings GROUP BY ALL;
SELECT part_id AS p, count(*) AS n FROM readings GROUP BY p HAVING n > 0;
SELECT date_trunc('hour', time_received) h, avg(data.readings.n) a FROM readings GROUP BY h ORDER BY h;
SELECT time_bucket(INTERVAL '15 minutes', time_received) bucket, max(data.readings.n) FROM readings GROUP BY bucket;
SELECT part_id, robot_id, count(*) FROM readings GROUP BY GROUPING SETS ((part_id), (robot_id), ());
SELECT part_id, robot_id, count(*) FROM readings GROUP BY ROLLUP (part_id, robot_id);
SELECT part_id, robot_id, count(*) FROM readings GROUP BY CUBE (part_id, robot_id);
SELECT part_id, grouping(part_id) g, grouping_id(part_id) gid, count(*) FROM readings GROUP BY ROLLUP (part_id);
SELECT part_id FROM readings GROUP BY part_id HAVING max(data.readings.n) > 1 AND count(*) >= 1;
SELECT count(*) FILTER (WHERE data.readings.n > 2) big, count(*) FILTER (data.readings.on) active FROM readings;
SELECT sum(data.readings.n) FILTER (WHERE part_id = 'main') total FROM readings;
SELECT string_agg(part_id, ', ' ORDER BY time_received DESC) FROM readings;
SELECT listagg(part_id, ',' ORDER BY time_received) all_parts FROM readings;
SELECT quantile_cont(data.readings.n, [0.25, 0.5, 0.75]) quartiles FROM readings;
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY data.readings.n) AS median_n FROM readings;
SELECT mode() WITHIN GROUP (ORDER BY data.readings.n) m FROM readings;
SELECT arg_max(part_id, time_received) newest, arg_min(part_id, time_received, 2) two_oldest FROM readings;
SELECT first(part_id ORDER BY time_received) f, last(part_id ORDER BY time_received) l FROM readings;
SELECT any_value(part_id) p, median(data.readings.n) m, stddev(data.readings.n) s FROM readings;
SELECT histogram(data.readings.n) h FROM readings;
SELECT list(DISTINCT part_id) parts, list_sort(list(data.readings.n)) ordered FROM readings;
SELECT map_from_entries(list((part_id, data.readings.n))) m FROM readings WHERE data.readings.n = 2;
SELECT approx_count_distinct(part_id) parts, approx_quantile(data.readings.n, 0.9) q FROM readings;
SELECT corr(data.readings.n, data.readings.place.lat) c, regr_slope(data.readings.n, data.readings.place.lat) slope FROM readings;
SELECT bool_and(data.readings.on) every, bool_or(data.readings.on) some_on FROM readings;
SELECT max(time_received) - min(time_received) AS age FROM readings GROUP BY part_id;
SELECT extract(hour FROM time_received) h, count(*) FROM readings GROUP BY extract(hour FROM time_received);
SELECT max(data.readings.n, 2) two_largest FROM readings;
SELECT count_if(data.readings.n > 2) n_big FROM readings;

-- Windows
SELECT row_number() OVER () rn FROM readings;
SELECT row_number() OVER (PARTITION BY part_id ORDER BY time_received DESC) AS rn, part_id FROM readings;
SELECT rank() OVER (ORDER BY data.readings.n DESC NULLS LAST) place FROM readings;
SELECT dense_rank() OVER w dr, percent_rank() OVER w pr, cume_dist() OVER w cd FROM readings WINDOW w AS (ORDER BY data.readings.n);
SELECT ntile(4) OVER (ORDER BY data.readings.n) quarter_no FROM readings;
SELECT lag(data.readings.n) OVER w AS previous, lead(data.readings.n, 1, 0) OVER w AS following FROM readings WINDOW w AS (PARTITION BY part_id ORDER BY time_received);
SELECT data.readings.n - lag(data.readings.n) OVER (ORDER BY time_received) step FROM readings;
SELECT avg(data.readings.n) OVER (ORDER BY time_received ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) moving FROM readings;
SELECT avg(data.readings.n) OVER (ORDER BY time_received RANGE BETWEEN INTERVAL 5 MINUTES PRECEDING AND INTERVAL 5 MINUTES FOLLOWING) moving FROM readings;
SELECT sum(data.readings.n) OVER (ORDER BY time_received ROWS UNBOUNDED PRECEDING) running FROM readings;
SELECT sum(data.readings.n) OVER (ORDER BY time_received GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) g FROM readings;
SELECT sum(data.readings.n) OVER (ORDER BY time_received ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) neighbors FROM readings;
SELECT sum(data.readings.n) OVER (ORDER BY time_received ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) t FROM readings;
SELECT first_value(data.readings.n IGNORE NULLS) OVER (ORDER BY time_received) f FROM readings;
SELECT last_value(data.readings.n RESPECT NULLS) OVER (ORDER BY time_received) l FROM readings;
SELECT nth_value(part_id, 2) OVER (ORDER BY time_received) second_part FROM readings;
SELECT count(*) FILTER (WHERE data.readings.on) OVER (PARTITION BY part_id) n FROM readings;
SELECT count(DISTINCT part_id) OVER (PARTITION BY robot_id) parts FROM readings;
SELECT part_id FROM readings QUALIFY row_number() OVER (PARTITION BY part_id ORDER BY time_received DESC) = 1;
SELECT part_id, row_number() OVER w AS rn FROM readings WINDOW w AS (ORDER BY time_received) QUALIFY rn <= 2;
SELECT part_id FROM readings WINDOW w AS (PARTITION BY part_id ORDER BY time_received), v AS (ORDER BY part_id) QUALIFY rank() OVER w = 1 ORDER BY rank() OVER v;
SELECT part_id, max(count(*)) OVER () most FROM readings GROUP BY part_id;
SELECT fill(data.readings.n) OVER (ORDER BY time_received) filled FROM readings;
SELECT median(data.readings.n) OVER (PARTITION BY part_id) m, data.readings.n - m AS d FROM readings;
SELECT row_number(ORDER BY time_received) OVER () rn FROM readings;
SELECT arg_max(part_id, data.readings.n) OVER (ORDER BY time_received) best FROM readings;

-- Joins
SELECT a.part_id, b.robot_id FROM readings a JOIN readings b ON a.part_id = b.part_id;
SELECT a.part_id FROM readings a INNER JOIN readings b USING (part_id, time_received);
SELECT a.part_id FROM readings a LEFT JOIN readings b ON a.part_id = b.part_id AND b.data.readings.n > a.data.readings.n;
SELECT a.part_id FROM readings a RIGHT OUTER JOIN readings b USING (part_id);
SELECT a.part_id FROM readings a FULL OUTER JOIN readings b USING (part_id);
SELECT a.part_id, b.part_id FROM readings a CROSS JOIN readings b;
SELECT a.part_id, b.part_id FROM readings a, readings b WHERE a.time_received < b.time_received;
SELECT part_id FROM readings a NATURAL JOIN (SELECT part_id FROM readings) b;
SELECT part_id FROM readings a SEMI JOIN readings b USING (part_id);
SELECT part_id FROM readings a ANTI JOIN (SELECT 'x' AS part_id) b USING (part_id);
SELECT a.time_received, b.time_received AS before FROM readings a ASOF JOIN readings b ON a.part_id = b.part_id AND a.time_received >= b.time_received;
SELECT a.time_received FROM readings a ASOF LEFT JOIN readings b USING (part_id, time_received);
SELECT a.part_id, b.n FROM readings a POSITIONAL JOIN (SELECT 1 AS n) b;
SELECT r.part_id, t.tag FROM readings r, unnest(r.tags) AS t(tag);
SELECT part_id, tag FROM readings, unnest(tags) t(tag);
SELECT r.part_id, x.n FROM readings r, LATERAL (SELECT r.data.readings.n + 1 AS n) x;
SELECT r.part_id, x.m FROM readings r LEFT JOIN LATERAL (SELECT max(s.time_received) m FROM readings s WHERE s.part_id = r.part_id) x ON true;
SELECT r.part_id, x FROM readings r CROSS JOIN unnest([1, 2]) t(x);
SELECT part_id, i FROM readings, range(3) t(i);
SELECT part_id, range FROM readings, range(3);
SELECT r.part_id, g.d FROM readings r JOIN generate_series(DATE '1970-01-01', DATE '1970-01-02', INTERVAL 1 DAY) g(d) ON r.time_received >= g.d;
SELECT r.part_id, j.key, j.value FROM readings r, json_each(r.data, '$.readings') j;
SELECT part_id, je.key FROM readings, json_tree(data) AS je;
SELECT h.h, coalesce(c.n, 0) AS n FROM (SELECT unnest(generate_series(TIMESTAMP '1970-01-01', TIMESTAMP '1970-01-02', INTERVAL 1 HOUR)) AS h) h LEFT JOIN (SELECT date_trunc('hour', time_received) h, count(*) n FROM readings GROUP BY 1) c ON c.h = h.h;

-- Set operations
SELECT part_id FROM readings UNION SELECT robot_id FROM readings;
SELECT part_id FROM readings UNION ALL SELECT robot_id FROM readings;
SELECT part_id AS a FROM readings UNION ALL BY NAME SELECT robot_id AS a, 1 AS b FROM readings;
SELECT part_id x FROM readings UNION BY NAME SELECT robot_id y FROM readings;
SELECT part_id FROM readings INTERSECT SELECT part_id FROM readings;
SELECT part_id FROM readings EXCEPT SELECT robot_id FROM readings;
SELECT part_id FROM readings EXCEPT ALL SELECT robot_id FROM readings;
SELECT part_id p FROM readings UNION SELECT robot_id FROM readings ORDER BY p LIMIT 5;
SELECT part_id, 'part' kind FROM readings UNION ALL SELECT robot_id, 'robot' FROM readings ORDER BY kind;
FROM readings SELECT part_id UNION ALL FROM readings SELECT robot_id;

-- Order, limits and samples
SELECT part_id FROM readings ORDER BY time_received DESC NULLS FIRST, part_id ASC LIMIT 10 OFFSET 0;
SELECT part_id FROM readings ORDER BY 1 COLLATE nocase;
SELECT part_id COLLATE NOCASE c FROM readings ORDER BY c;
SELECT part_id FROM readings ORDER BY data.readings.n + 1, -data.readings.n DESC;
SELECT part_id FROM readings LIMIT 50%;
SELECT part_id FROM readings LIMIT 50 PERCENT;
SELECT part_id FROM readings LIMIT (SELECT 2);
SELECT part_id FROM readings OFFSET 1 ROWS FETCH FIRST 2 ROWS ONLY;
SELECT part_id FROM readings FETCH NEXT 1 ROW ONLY;
SELECT part_id FROM readings USING SAMPLE 2;
SELECT part_id FROM readings USING SAMPLE 50%;
SELECT part_id FROM readings USING SAMPLE 50 PERCENT (bernoulli);
SELECT part_id FROM readings USING SAMPLE reservoir(2 ROWS) REPEATABLE (42);
SELECT part_id FROM readings TABLESAMPLE 50%;
SELECT part_id FROM readings TABLESAMPLE reservoir(2);
SELECT part_id FROM readings r TABLESAMPLE system(50%) REPEATABLE (1);
SELECT part_id FROM readings TABLESAMPLE bernoulli(50 PERCENT);

-- PIVOT and UNPIVOT
SELECT * FROM readings PIVOT (count(*) FOR part_id IN ('main', 'other'));
SELECT * FROM (SELECT part_id, robot_id, data.readings.n AS n FROM readings) PIVOT (avg(n) AS mean, max(n) AS top FOR part_id IN ('main') GROUP BY robot_id);
FROM (SELECT part_id, data.readings.n AS n FROM readings) PIVOT (sum(n) FOR part_id IN ('main' AS m, 'other' AS o));
PIVOT (SELECT part_id, robot_id, data.readings.n AS n FROM readings) ON part_id IN ('main', 'other') USING sum(n) GROUP BY robot_id;
PIVOT readings ON part_id IN ('main') USING count(*) GROUP BY robot_id;
WITH p AS (PIVOT readings ON part_id IN ('main') USING max(time_received) AS latest GROUP BY robot_id) SELECT robot_id, main_latest FROM p;
UNPIVOT (SELECT part_id, robot_id FROM readings) ON part_id, robot_id INTO NAME kind VALUE id;
UNPIVOT (SELECT data.readings.n AS n, data.readings.place.lat AS lat FROM readings) ON n, lat INTO NAME quantity VALUE measured;
UNPIVOT readings ON COLUMNS('.*_id') INTO NAME id_kind VALUE id;
SELECT kind, id FROM (SELECT part_id, robot_id FROM readings) UNPIVOT (id FOR kind IN (part_id, robot_id));
SELECT * FROM (SELECT part_id, robot_id FROM readings) UNPIVOT INCLUDE NULLS (id FOR kind IN (part_id, robot_id));
FROM (UNPIVOT (SELECT part_id, robot_id FROM readings) ON part_id, robot_id INTO NAME kind VALUE id) SELECT kind, count(*) GROUP BY kind;

-- Payloads: paths, JSON, structs, lists and maps
SELECT data FROM readings;
SELECT data.readings FROM readings;
SELECT data.readings.n, data.readings.label, data.readings."wind speed" FROM readings;
SELECT data['readings']['n'] FROM readings;
SELECT data.readings['wind speed'] w FROM readings;
SELECT data.readings.place.lat lat, data.readings.place.lng lng FROM readings;
SELECT data.readings.list[0] head, data.readings.list[1] AS next_one FROM readings;
SELECT data->'readings' r, data->'readings'->'place'->>'lat' lat FROM readings;
SELECT data->'$.readings.n' n, data->>'$.readings.label' l FROM readings;
SELECT data->'readings'->'list'->0 head FROM readings;
SELECT json_extract(data, '$.readings.n') n, json_extract_string(data, '$.readings.label') l FROM readings;
SELECT json_keys(data, '$.readings') ks, json_type(data) t, json_valid(data) ok FROM readings;
SELECT json_object('part', part_id, 'n', data.readings.n) o FROM readings;
SELECT json_array_length(data, '$.readings.list') len FROM readings;
SELECT to_json({'p': part_id}) j, json_group_array(part_id) FROM readings GROUP BY part_id;
SELECT json_group_object(part_id, data.readings.n) o FROM readings;
SELECT json_transform(data, '{"readings": {"n": "DOUBLE"}}') t FROM readings;
SELECT json_transform(data, '{"readings": {"n": "DOUBLE"}}').readings.n n FROM readings;
SELECT unnest(from_json(data->'$.readings.list', '["DOUBLE"]')) item FROM readings;
SELECT s.lat FROM (SELECT {'lat': 1.5, 'lng': 2} AS s FROM readings);
SELECT {'lat': 1.5, 'lng': 2}.lat lat FROM readings;
SELECT {lat: 1.5, lng: data.readings.n} point FROM readings;
SELECT ({'a': {'b': part_id}}).a.b deep FROM readings;
SELECT struct_pack(p := part_id, n := data.readings.n) s FROM readings;
SELECT struct_extract({'p': part_id}, 'p') p, struct_insert({'p': part_id}, n := 1) q FROM readings;
SELECT s.* FROM (SELECT {'a': part_id, 'b': 2} AS s FROM readings);
SELECT unnest({'a': part_id, 'b': 2}) FROM readings;
SELECT unnest({'a': {'c': part_id}}, recursive := true) FROM readings;
SELECT part_id, unnest(tags) tag FROM readings;
SELECT unnest([1, 2, 3]) i, part_id FROM readings;
SELECT tags[1] first_tag, tags[-1] last_tag, tags[1:2] two, tags[:1] head, tags[1:] tail FROM readings;
SELECT tags[1:2:1] stepped FROM readings;
SELECT len(tags) n, list_sort(tags) s, list_distinct(tags) d, tags || ['x'] more FROM readings;
SELECT list_value(1, 2, 3) l, [1, 2, 3][2] two, array_value(1.0, 2.0) a FROM readings;
SELECT tags.list_sort() ordered, part_id.upper().lower() p FROM readings;
SELECT MAP {'a': 1, 'b': 2} m, MAP {'a': 1}['a'] a FROM readings;
SELECT map(['a'], [part_id]) m, map_keys(MAP {'k': 1}) ks FROM readings;
SELECT m.key FROM (SELECT unnest(map_entries(MAP {'a': 1})) m FROM readings);
SELECT part_id[1] initial, part_id[1:2] prefix_of FROM readings;
SELECT union_value(num := 2) u, union_value(str := part_id).str s FROM readings;
SELECT additional_parameters->>'x' x FROM readings;
SELECT readings FROM readings;
SELECT r FROM readings r;
SELECT readings.data.readings.n FROM readings;

-- Lambdas and comprehensions
SELECT list_transform(tags, x -> upper(x)) FROM readings;
SELECT list_transform(tags, lambda x: upper(x)) up FROM readings;
SELECT list_transform(tags, lambda x, i: x || i) numbered FROM readings;
SELECT list_transform([1, 2], (x, i) -> x * i) products FROM readings;
SELECT list_filter(tags, lambda tag: tag <> 'day') kept FROM readings;
SELECT list_reduce([1, 2, 3], lambda total, item: total + item) s FROM readings;
SELECT list_reduce([1, 2, 3], lambda acc, el, pos: acc + el * pos, 0) s FROM readings;
SELECT [x + 1 FOR x IN [1, 2, 3]] plus_one FROM readings;
SELECT [upper(tag) FOR tag IN tags IF len(tag) > 2] loud FROM readings;
SELECT [x * i FOR x, i IN [1, 2, 3]] products FROM readings;
SELECT list_transform(tags, lambda t: list_transform([1], lambda y: t || y)) nested FROM readings;
SELECT apply(tags, lambda x: len(x) > 3) longs FROM readings;
SELECT list_transform(tags, lambda x: {'tag': x, 'part': part_id}) FROM readings;
SELECT tags.filter(lambda x: x = 'night').len() n FROM readings;
SELECT list_sum([n * n FOR n IN [1, 2]]) squares FROM readings;

-- Cases, functions and operators
SELECT CASE WHEN data.readings.n > 5 THEN 'high' WHEN data.readings.n > 1 THEN 'low' ELSE 'none' END level_name FROM readings;
SELECT CASE part_id WHEN 'main' THEN 1 ELSE 0 END is_main FROM readings;
SELECT CASE WHEN data.readings.on THEN part_id END maybe FROM readings;
SELECT if(data.readings.on, 'on', 'off') state, ifnull(data.readings.n, 0) n, nullif(part_id, 'x') p FROM readings;
SELECT coalesce(data.readings.n, 0) n, greatest(1, data.readings.n) g, least(1, 2) l FROM readings;
SELECT round(data.readings.n, 2) r, abs(data.readings.n) a, data.readings.n ** 2 sq, data.readings.n ^ 2 p, @ -1 ab FROM readings;
SELECT 5 // 2 q, 5 % 2 m, 5 & 1 a, 5 | 2 o, 1 << 3 s, ~1 inv FROM readings;
SELECT substring(part_id FROM 1 FOR 2) s, substring(part_id, 1, 2) t FROM readings;
SELECT trim(BOTH 'm' FROM part_id) t, trim(LEADING FROM part_id) l, trim(part_id) p FROM readings;
SELECT position('a' IN part_id) at_pos FROM readings;
SELECT extract(year FROM time_received) y, extract('month' FROM time_received) m, date_part('day', time_received) d FROM readings;
SELECT EXTRACT(epoch FROM time_received) e, epoch(time_received) e2, epoch_ms(time_received) ms FROM readings;
SELECT year(time_received) y, month(time_received) m, hour(time_received) h, dayname(time_received) d FROM readings;
SELECT time_received AT TIME ZONE 'UTC' z FROM readings;
SELECT time_received AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Zurich' local_time FROM readings;
SELECT strftime(time_received, '%Y-%m-%d') d, strptime('2026-01-01', '%Y-%m-%d') p FROM readings;
SELECT time_received + INTERVAL 1 HOUR later, time_received - INTERVAL '90 minutes' sooner FROM readings;
SELECT age(time_received) a, date_diff('second', time_requested, time_received) s FROM readings;
SELECT INTERVAL 2 DAYS span, INTERVAL '1' MONTH m FROM readings;
SELECT DATE '2026-01-01' d, TIME '12:00' t, TIMESTAMP '2026-01-01' ts, TIMESTAMPTZ '2026-01-01 00:00:00+00' tz FROM readings;
SELECT current_date d, current_timestamp ts, now() n, today() t, current_time ct FROM readings;
SELECT make_timestamp(2026, 1, 1, 0, 0, 0.0) t, make_date(2026, 1, 1) d FROM readings;
SELECT part_id LIKE 'm%' is_m, part_id IN ('a') is_a, data.readings.n BETWEEN 1 AND 3 mid, part_id IS NULL missing FROM readings;
SELECT NOT data.readings.on is_off, data.readings.on AND true both_on FROM readings;
SELECT format('{}: {}', part_id, data.readings.n) f, printf('%s', part_id) p, concat_ws('-', part_id, robot_id) c FROM readings;
SELECT regexp_extract(part_id, '(m)(.*)', ['head', 'tail']) parts FROM readings;
SELECT split_part(component_type, ':', 3) kind, string_split(component_type, ':')[3] kind2 FROM readings;
SELECT hash(part_id) h, md5(part_id) m, typeof(data) t, uuid() u, random() r FROM readings;
SELECT rowid FROM (SELECT part_id AS rowid FROM readings);
SELECT error('never') FROM readings WHERE false;
SELECT get_bit('101'::bit, 1) b, '101'::bit bits, '\xAA'::blob bytes FROM readings;
SELECT 170141183460469231731687303715884105727::hugeint huge, 18446744073709551615::ubigint u FROM readings;
SELECT array_distance([1.0, 2.0]::double[2], [3.0, 4.0]::double[2]) distance FROM readings;
SELECT try(part_id::int) t FROM readings;
SELECT generate_subscripts(tags, 1) i FROM readings;
SELECT part_id, count(*) AS total FROM readings GROUP BY part_id ORDER BY total DESC, part_id LIMIT 1;

-- Tables about tables
DESCRIBE readings;
DESCRIBE SELECT part_id, data.readings.n FROM readings;
SUMMARIZE SELECT part_id, data.readings.n AS n FROM readings;
SHOW TABLES;
VALUES (1, 'a'), (2, 'b');
TABLE readings;
SELECT column_name, column_type FROM (DESCRIBE readings);
SELECT column_name FROM (SUMMARIZE SELECT part_id FROM readings);

-- Longer queries as people write them
SELECT
  date_trunc('minute', time_received) AS minute,
  component_name AS sensor,
  avg(data.readings.n) AS mean,
  min(data.readings.n) AS low,
  max(data.readings.n) AS high
FROM readings
WHERE time_received >= '1970-01-01'
  AND component_type LIKE '%sensor'
GROUP BY minute, sensor
HAVING count(*) > 0
ORDER BY minute DESC, sensor
LIMIT 100;
WITH steps AS (
  SELECT
    part_id,
    time_received AS t,
    data.readings.n::double AS n,
    lag(n) OVER (PARTITION BY part_id ORDER BY time_received) AS before
  FROM readings
),
jumps AS (SELECT *, n - before AS jump FROM steps WHERE before IS NOT NULL)
SELECT part_id, t, jump FROM jumps WHERE abs(jump) > 1 ORDER BY t;
WITH ranked AS (
  SELECT *, row_number() OVER (PARTITION BY component_name ORDER BY time_received DESC) AS nth
  FROM readings
)
SELECT * EXCLUDE (nth) FROM ranked WHERE nth = 1;
WITH ordered AS (
  SELECT time_received t, (data->'readings'->>'on')::bool state
  FROM readings
),
changes AS (
  SELECT t, state, state IS DISTINCT FROM lag(state) OVER (ORDER BY t) changed FROM ordered
)
SELECT state, count(*) times, sum(CASE WHEN changed THEN 1 ELSE 0 END) flips FROM changes GROUP BY state;
SELECT g.bucket, avg(r.data.readings.n) mean
FROM (SELECT unnest(generate_series(TIMESTAMP '1970-01-01', TIMESTAMP '1970-01-01 00:10', INTERVAL 5 MINUTE)) bucket) g
LEFT JOIN readings r ON r.time_received >= g.bucket AND r.time_received < g.bucket + INTERVAL 5 MINUTE
GROUP BY g.bucket
ORDER BY g.bucket;
SELECT part_id, x.q1, x.q3, x.q3 - x.q1 iqr
FROM (SELECT part_id, {'q1': quantile_cont(data.readings.n, 0.25), 'q3': quantile_cont(data.readings.n, 0.75)} x FROM readings GROUP BY part_id);
