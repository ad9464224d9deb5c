/**
 * Returns the order of the members of a merged object or list. Uses the order of the side that
 * changed it. If both sides changed it, uses mine. Members that only the other side has follow the
 * same predecessor as on that side.
 * @param mergedKeys keys of the merged container.
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  mergedKeys: ReadonlySet<string>,
): string[] {
  const [leading, other] = sameRelativeOrder(base, mine) ? [theirs, mine] : [mine, theirs];
  const order = leading.filter((key) => mergedKeys.has(key));
  const orderedKeys = new Set(order);
  other.forEach((key, index) => {
    if (!mergedKeys.has(key) || orderedKeys.has(key)) return;
    const before = other.slice(0, index).findLast((neighbor) => orderedKeys.has(neighbor));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key);
    orderedKeys.add(key);
  });
  return order;
}

function sameRelativeOrder(left: readonly string[], right: readonly string[]): boolean {
  const [leftKeys, rightKeys] = [new Set(left), new Set(right)];
  const other = right.filter((key) => leftKeys.has(key));
  return left.filter((key) => rightKeys.has(key)).every((key, index) => other[index] === key);
}
