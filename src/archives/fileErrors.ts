/** Returns the code of a system error, such as `ENOENT`. */
export function getErrorCode(error: unknown): string | undefined {
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string';
  return isCoded ? String(error.code) : undefined;
}

export function isMissing(error: unknown): boolean {
  return getErrorCode(error) === 'ENOENT';
}
