import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { io } from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';

const WEIGHTS = 'weights.bin';

/** Writes a model in the format that TensorFlow.js loads: `model.json` and `weights.bin`. */
export async function writeLayersForm(model: LayersModel, folder: string): Promise<void> {
  await model.save(
    io.withSaveHandler(async ({ modelTopology, weightSpecs, weightData, format }) => {
      const manifest = {
        format,
        modelTopology,
        weightsManifest: [{ paths: [WEIGHTS], weights: weightSpecs ?? [] }],
      };
      await writeFile(join(folder, 'model.json'), JSON.stringify(manifest));
      const data = io.CompositeArrayBuffer.join(weightData);
      await writeFile(join(folder, WEIGHTS), new Uint8Array(data));
      return { modelArtifactsInfo: { dateSaved: new Date(), modelTopologyType: 'JSON' } };
    }),
  );
}
