import { totalmem } from 'node:os';

/** The memory of this machine, or of the container that the service runs in, in bytes. */
export function machineMemory(): number {
  // Without a bound of its own a container says 0, or more than any machine has.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
