import { totalmem } from 'node:os';

/** Returns the memory of this computer, or of the container in which the service runs, in bytes. */
export function machineMemory(): number {
  // A container without its own limit reports 0 or more memory than any computer has.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
