/**
 * Number of IDs per statement. Both databases limit the number of parameters in a statement, SQLite
 * to 32,766. With this batch size, a statement can use each ID three times.
 */
const BATCH_SIZE = 10_000;

/**
 * Runs a query with a list of IDs in batches that are as large as the limits allow.
 * @returns the rows from all batches; empty if there are no IDs.
 */
export async function queryByIds<Row, Id extends string | number = string>(
  ids: readonly Id[],
  query: (batch: readonly Id[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const unique = [...new Set(ids)];
  const rows: Row[] = [];
  await inBatches(unique, async (batch) => {
    // Adds rows individually, because a function call can't have as many arguments as a query can
    // have rows.
    for (const row of await query(batch)) {
      rows.push(row);
    }
  });
  return rows;
}

/**
 * Runs a statement for batches of rows with up to three columns. The batches are as large as the
 * limits allow and never empty.
 */
export async function inBatches<Row>(
  rows: readonly Row[],
  statement: (batch: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    await statement(rows.slice(start, start + BATCH_SIZE));
  }
}
