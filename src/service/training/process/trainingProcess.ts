import { createInterface } from 'node:readline';
import { isMainThread } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import wasm from '@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm-simd.wasm';
import { jsonLine } from '../../../base/jsonLine';
import type { TrialJob, TrialMessage } from '../../../core/model/modelTrial';
import { endProcess, memoryLimit, startGuard, watchProcess } from '../../processes/processGuard';
import { MEMORY_MARK, type TrainerJob, type TrainerMessage } from '../managed/trainerMessages';
import { TrainingRejectedError } from './report';
import { startTensors } from './tensors/startTensors';
import { train } from './train';
import { runTrial } from './trial/runTrial';

/**
 * Runs one job received on stdin, reports progress on stdout, and exits when stdin ends. The job
 * either trains a model or runs a trained model on images.
 */
async function main(): Promise<void> {
  startGuard(memoryLimit(MEMORY_MARK));
  process.stdout.on('error', endProcess);
  const input = createInterface({ input: process.stdin });
  input.once('close', endProcess);
  const lines = input[Symbol.asyncIterator]();
  const { value: line } = await lines.next();
  const job = JSON.parse(line ?? '') as TrainerJob | TrialJob;
  await startTensors(brotliDecompressSync(wasm));
  if ('model' in job) await runTrial(job, lines, send);
  else await runTraining(job);
  endProcess();
}

async function runTraining(job: TrainerJob): Promise<void> {
  let failure: string | undefined;
  try {
    await train(job, (message, level = 'info') => send({ kind: 'line', line: { level, message } }));
  } catch (error) {
    if (!(error instanceof TrainingRejectedError)) throw error;
    failure = error.message;
  }
  await send({ kind: 'ended', ...(failure !== undefined && { failure }) });
}

/**
 * Writes a message. Resolves when the line is written, because buffered output is lost when the
 * process is killed.
 */
function send(message: TrainerMessage | TrialMessage): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${jsonLine(message)}\n`, () => resolve());
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
