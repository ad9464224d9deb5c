import { readFileSync } from 'node:fs';
import { fromRoot } from '../../scripts/support/paths';
import { startTensors } from '../../src/service/training/process/tensors/startTensors';

const wasm = fromRoot(
  'node_modules',
  '@tensorflow',
  'tfjs-backend-wasm',
  'wasm-out',
  'tfjs-backend-wasm-simd.wasm',
);
const events = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Starts TensorFlow.js in this process without the process listeners that its WASM module adds,
 * which would end the test run on an unhandled rejection.
 */
export async function startTestTensors(): Promise<void> {
  const before = events.map((event) => process.rawListeners(event));
  await startTensors(readFileSync(wasm));
  events.forEach((event, index) => {
    for (const listener of process.rawListeners(event)) {
      if (before[index]?.includes(listener) !== true) {
        process.removeListener(event, listener as () => void);
      }
    }
  });
}
