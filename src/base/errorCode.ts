/**
 * Returns the code of an error of Node.js, such as `ENOENT`, or of VS Code's file systems. Errors of
 * `node:vm` contexts have codes, too, but aren't instances of this context's `Error`.
 */
export function getErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
