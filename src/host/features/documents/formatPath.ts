/** Formats the path of a value in a config, such as `components › left-motor › rpm`. */
export function formatPath(path: readonly string[]): string {
  return path.join(' › ');
}
