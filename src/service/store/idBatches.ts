/** Both databases limit the parameters of a statement, SQLite to 32,766. */
const BATCH_SIZE = 10_000;

/**
 * Runs a query that takes a list of ids for as many of them at a time as a statement can take.
 * @returns the rows of all runs; of none when there are no ids.
 */
export async function queryByIds<Row>(
  ids: readonly string[],
  query: (batch: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const unique = [...new Set(ids)];
  const rows: Row[] = [];
  for (let start = 0; start < unique.length; start += BATCH_SIZE) {
    rows.push(...(await query(unique.slice(start, start + BATCH_SIZE))));
  }
  return rows;
}
