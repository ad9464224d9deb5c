import { totalmem } from 'node:os';

/** Returns the memory in bytes of this computer, or of the container in which the service runs. */
export function machineMemory(): number {
  // In a container without a memory limit, the reported limit is 0 or more than the memory of any
  // computer.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
