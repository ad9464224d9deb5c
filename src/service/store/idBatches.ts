/**
 * Both databases limit the parameters of a statement, SQLite to 32,766: each ID here can use three.
 */
const BATCH_SIZE = 10_000;

/**
 * Runs a query with a list of IDs in batches, as many per statement as allowed.
 * @returns the rows of all batches; empty if there are no IDs.
 */
export async function queryByIds<Row, Id extends string | number = string>(
  ids: readonly Id[],
  query: (batch: readonly Id[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const unique = [...new Set(ids)];
  const rows: Row[] = [];
  await inBatches(unique, async (batch) => {
    // One by one, because a call can have fewer arguments than a query has rows.
    for (const row of await query(batch)) {
      rows.push(row);
    }
  });
  return rows;
}

/**
 * Runs a statement for batches of rows with up to three columns, as many rows as allowed; never for
 * an empty batch.
 */
export async function inBatches<Row>(
  rows: readonly Row[],
  statement: (batch: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    await statement(rows.slice(start, start + BATCH_SIZE));
  }
}
