import { getErrorCode } from '../base/errorCode';

/** Returns true if a process exists. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists but belongs to another user.
    return getErrorCode(error) === 'EPERM';
  }
}
