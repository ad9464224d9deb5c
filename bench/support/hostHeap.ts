import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const ROUNDS = 4;
const PAUSE_MS = 50;

/**
 * Collects garbage, including objects whose finalizers run later, and returns the used heap of this
 * process in bytes.
 */
export async function measureOwnHeap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    await sleep(PAUSE_MS);
  }
  return process.memoryUsage().heapUsed;
}
