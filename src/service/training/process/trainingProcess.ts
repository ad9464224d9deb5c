import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isMainThread } from 'node:worker_threads';
import wasm from '@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm-simd.wasm';
import { endProcess, startGuard, watchProcess } from '../../processes/processGuard';
import {
  MEMORY_MARK,
  type TrainerJob,
  type TrainerMessage,
  trainerMessageLine,
} from '../managed/trainerMessages';
import { Refusal } from './report';
import { startTensors } from './tensors/startTensors';
import { train } from './train';

/**
 * The program of a training process: it does the one job that comes over stdin, tells over stdout how far it
 * is, and ends with its stdin.
 */
async function main(): Promise<void> {
  startGuard(MEMORY_MARK);
  process.stdout.on('error', endProcess);
  const input = createInterface({ input: process.stdin });
  input.once('close', endProcess);
  const [line] = (await once(input, 'line')) as [string];
  const job = JSON.parse(line) as TrainerJob;
  await startTensors(wasm);
  let failure: string | undefined;
  try {
    await train(job, (message, level = 'info') => send({ kind: 'line', line: { level, message } }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    failure = error.message;
  }
  await send({ kind: 'ended', ...(failure !== undefined && { failure }) });
  endProcess();
}

/** Returns when the line is on its way: a process that is ended takes along what it still holds. */
function send(message: TrainerMessage): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(trainerMessageLine(message), () => resolve());
  });
}

if (isMainThread) {
  main().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
    endProcess();
  });
} else {
  watchProcess();
}
