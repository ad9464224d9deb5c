import { totalmem } from 'node:os';

/** Returns the memory of this computer, or of the container in which the service runs, in bytes. */
export function machineMemory(): number {
  // Without its own limit, a container reports 0 or more than any computer has.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
