import { sql } from 'kysely';
import type { StoreAccess } from '../store';
import { type BinarySelection, type Lead, markedItemConditions } from './binaryFilter';
import { matchesBinarySelection } from './binarySeries';

/**
 * Returns all distinct tags, or all distinct labels of boxes, on the items of a selection, in
 * alphabetical order. Skips through the index of each series. The cost therefore depends on the
 * number of distinct values, not on the number of items.
 */
export async function listMarks(
  access: StoreAccess,
  selection: BinarySelection,
  { table, column }: Pick<Lead, 'table' | 'column'>,
): Promise<string[]> {
  const [marks, mark] = [sql.table(table), sql.ref(column)];
  const { rows } = await sql<{ mark: string }>`
    with recursive marked (series_id, mark) as (
      select s.id, (select min(f.${mark}) from ${marks} f where f.series_id = s.id)
        from binary_series s where ${matchesBinarySelection(selection)}
      union all
      select marked.series_id, (select min(n.${mark}) from ${marks} n
          where n.series_id = marked.series_id and n.${mark} > marked.mark)
        from marked where marked.mark is not null
    )
    select distinct mark from marked
    where mark is not null and exists (select m.binary_id from ${marks} m
      where m.series_id = marked.series_id and m.${mark} = marked.mark
      and ${markedItemConditions(selection)})
    order by mark`.execute(access);
  return rows.map((row) => row.mark);
}
