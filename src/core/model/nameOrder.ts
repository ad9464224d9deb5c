// Made once: comparing through a collator is a hundred times faster than `localeCompare`.
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

interface Named {
  readonly name: string;
}

/** Orders names as people do: `arm-2` before `arm-10`, whatever the case. */
export function compareNames(a: Named, b: Named): number {
  return collator.compare(a.name, b.name);
}

/** The items in name order; those that are in order already, as most lists are, only once through. */
export function inNameOrder<T extends Named>(items: readonly T[]): readonly T[] {
  const ordered = items.every((item, index) => {
    const previous = items[index - 1];
    return previous === undefined || compareNames(previous, item) <= 0;
  });
  return ordered ? items : items.toSorted(compareNames);
}
