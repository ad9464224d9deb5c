/** Groups values of rows by item ID, in row order. */
export function groupByItem<Row extends { binary_id: string }, Value>(
  rows: readonly Row[],
  valueOf: (row: Row) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const row of rows) {
    const group = groups.get(row.binary_id);
    if (group === undefined) {
      groups.set(row.binary_id, [valueOf(row)]);
    } else {
      group.push(valueOf(row));
    }
  }
  return groups;
}
