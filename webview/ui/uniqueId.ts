/**
 * Returns an ID that is unique on the page even if the page has multiple elements of the same kind.
 */
export function uniqueId(kind: string): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${kind}-${number.toString(36)}`;
}
