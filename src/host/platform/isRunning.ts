/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // One of somebody else is there, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
