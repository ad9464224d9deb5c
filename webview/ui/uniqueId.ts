/** Returns an ID that is unique on the page, even if it has several elements of the same kind. */
export function uniqueId(kind: string): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${kind}-${number.toString(36)}`;
}
