import type { Logger } from '../../base/logger';

/**
 * Logs the failure of background work, unless it was stopped. The operating system's messages contain
 * file paths, so only its codes are logged.
 */
export function warnUnlessStopped(
  logger: Logger,
  message: string,
  error: unknown,
  stopped: AbortSignal,
): void {
  if (stopped.aborted) return;
  const isSystemError = error instanceof Error && 'syscall' in error && 'code' in error;
  const text = error instanceof Error ? error.message : String(error);
  logger.warn(message, { error: isSystemError ? String(error.code) : text });
}
