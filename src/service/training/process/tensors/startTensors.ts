import { enableProdMode, setBackend } from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { registerConvolutionGradients } from './convolutionGradients';

/**
 * Initializes the backend. Must be called once per process, before any other use of tensors.
 * @param wasm a `data:` URL of the library's module for processors with SIMD, which all processors
 *   that can run Node 24 have.
 */
export async function startTensors(wasm: string): Promise<void> {
  enableProdMode();
  setWasmPaths(
    {
      'tfjs-backend-wasm.wasm': wasm,
      'tfjs-backend-wasm-simd.wasm': wasm,
      'tfjs-backend-wasm-threaded-simd.wasm': wasm,
    },
    true,
  );
  if (!(await setBackend('wasm'))) throw new Error('the WASM backend did not start');
  registerConvolutionGradients();
}
