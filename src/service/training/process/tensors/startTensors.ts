import { enableProdMode, setBackend } from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { registerConvolutionGradients } from './convolutionGradients';

/**
 * Initializes the backend. Must be called once per process, before any other use of tensors.
 * @param wasm the library's module for processors with SIMD, which all processors that can run
 *   Node 24 have.
 */
export async function startTensors(wasm: Buffer): Promise<void> {
  enableProdMode();
  const url = `data:application/wasm;base64,${wasm.toString('base64')}`;
  setWasmPaths(
    {
      'tfjs-backend-wasm.wasm': url,
      'tfjs-backend-wasm-simd.wasm': url,
      'tfjs-backend-wasm-threaded-simd.wasm': url,
    },
    true,
  );
  if (!(await setBackend('wasm'))) throw new Error('the WASM backend did not start');
  registerConvolutionGradients();
}
