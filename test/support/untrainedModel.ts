import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../../scripts/support/paths';
import { classifierNetwork } from '../../src/service/training/process/network';
import { writeLayersForm } from '../../src/service/training/process/train';
import { startTensors } from '../../src/service/training/process/tensors/startTensors';
import { rawArchive } from './archives';

const TASK = 'singleLabelClassification';
const SEED = 7;

const wasm = fromRoot(
  'node_modules',
  '@tensorflow',
  'tfjs-backend-wasm',
  'wasm-out',
  'tfjs-backend-wasm-simd.wasm',
);

/**
 * Returns an archive of a classifier in the format that the service's own training jobs write, but
 * with initial weights. Training would take half a minute of processor time, and the quality of the
 * model doesn't matter in tests.
 */
export async function untrainedModel(labels: readonly string[]): Promise<Uint8Array> {
  await startTensors(readFileSync(wasm));
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-model-'));
  try {
    await writeLayersForm(classifierNetwork(TASK, labels.length, SEED).finished, folder);
    const files = ['model.json', 'weights.bin'].map((path) => ({
      path,
      content: readFileSync(join(folder, path)),
    }));
    const metrics = { path: 'metrics.json', content: JSON.stringify({ task: TASK, labels }) };
    return rawArchive([...files, metrics]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
