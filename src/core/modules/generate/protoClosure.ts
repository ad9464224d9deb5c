/**
 * Returns declarations and everything that they import, if available. The protocol compiler
 * includes the missing imports.
 *
 * @param texts declarations by path
 */
export function protoClosure(
  entries: readonly string[],
  texts: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const needed = new Set(entries);
  for (const path of needed) {
    const text = texts.get(path) ?? '';
    for (const [, imported] of text.matchAll(/^import "([^"]+)";$/gm)) {
      if (imported !== undefined && texts.has(imported)) needed.add(imported);
    }
  }
  return needed;
}
