/** An id that nothing else on the page has, also where several of the same kind stand on one. */
export function uniqueId(kind: string): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${kind}-${number.toString(36)}`;
}
