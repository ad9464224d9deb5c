import { SQLDialect } from '@codemirror/lang-sql';

/**
 * The SQL dialect of queries, for syntax highlighting. Predefined dialects treat column names such
 * as `data` and `tags` as keywords.
 */
export const sqlDialect = SQLDialect.define({
  keywords:
    'all and any as asc asof between by case cast collate cross cube current desc distinct else end ' +
    'escape except exclude exists explain fetch filter first following from full group grouping ' +
    'having ilike in inner intersect interval into is isnull join last lateral left like limit ' +
    'natural not notnull nulls offset on or order outer over partition pivot positional preceding ' +
    'qualify range recursive replace respect right rollup row rows sample select semi sets similar ' +
    'tablesample then ties to try_cast unbounded union unnest unpivot using values when ' +
    'where window with within',
  types:
    'bigint bit blob bool boolean date decimal double float hugeint int integer json numeric real ' +
    'smallint struct text timestamp timestamptz time tinyint ubigint uinteger uuid varchar',
  operatorChars: '+-*/<>=~!@%^&|?',
  doubleDollarQuotedStrings: true,
  doubleQuotedStrings: false,
});
