/** Both databases limit the parameters of a statement, SQLite to 32,766: three for each of these. */
const BATCH_SIZE = 10_000;

/**
 * Runs a query that takes a list of ids for as many of them at a time as a statement can take.
 * @returns the rows of all runs; of none when there are no ids.
 */
export async function queryByIds<Row, Id extends string | number = string>(
  ids: readonly Id[],
  query: (batch: readonly Id[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const unique = [...new Set(ids)];
  const rows: Row[] = [];
  await inBatches(unique, async (batch) => {
    // One by one: a call takes fewer arguments than a query has rows.
    for (const row of await query(batch)) {
      rows.push(row);
    }
  });
  return rows;
}

/**
 * Runs a statement for as many rows of up to three columns at a time as it can take; never for none.
 */
export async function inBatches<Row>(
  rows: readonly Row[],
  statement: (batch: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    await statement(rows.slice(start, start + BATCH_SIZE));
  }
}
