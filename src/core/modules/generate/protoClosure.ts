/**
 * The declarations that some need: they themselves, and all that they import and that is there.
 * What is not there comes with the protocol compiler.
 *
 * @param texts the declarations by their paths
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
