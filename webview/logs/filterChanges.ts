import type { LogFilter } from '../../src/shared/logs';

/** Returns the filter after the user toggled one part. */
export function withPart(
  filter: LogFilter,
  all: readonly string[],
  part: string,
  shown: boolean,
): LogFilter {
  const before = filter.parts ?? all;
  const parts = all.filter((one) => (one === part ? shown : before.includes(one)));
  return { ...filter, parts: parts.length === all.length ? undefined : parts };
}

/**
 * Returns the filter after parts were added or removed; added parts are shown. Returns the same
 * filter if it doesn't change.
 */
export function withParts(
  filter: LogFilter,
  before: readonly string[],
  now: readonly string[],
): LogFilter {
  const { parts } = filter;
  // The first set of parts isn't a change: these parts existed when the filter was created.
  if (!parts || before.length === 0) return filter;
  const remaining = now.filter((part) => parts.includes(part) || !before.includes(part));
  if (remaining.length === now.length) return { ...filter, parts: undefined };
  return remaining.join('\n') === parts.join('\n') ? filter : { ...filter, parts: remaining };
}
