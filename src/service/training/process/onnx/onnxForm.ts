import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { TrainingTask } from '../../../../core/model/trainingTask';
import { CHANNELS } from '../images/resize';
import { SIDES } from '../network/detector';
import { addDetections, MAX_DETECTIONS } from './detectionNodes';
import { addLayers } from './layerNodes';
import { OnnxGraph } from './onnxGraph';
import { onnxBytes, type OnnxValue } from './onnxMessages';

const IMAGE = 'image';
const PROBABILITY = 'probability';

/**
 * Returns a model as the contents of an `.onnx` file. The input of the model is the bytes of one
 * image, with the shape `[1, rows, columns, 3]`.
 */
export function onnxForm(
  model: LayersModel,
  task: TrainingTask,
  size: number,
  labels: readonly string[],
): Uint8Array {
  const graph = new OnnxGraph();
  const made = addLayers(graph, model, IMAGE);
  const outputs: OnnxValue[] = [];
  if (task === 'objectDetection') {
    addDetections(graph, made.get('likely') ?? '', made.get('reach') ?? '');
    outputs.push(
      { name: 'location', element: 'float', shape: [1, MAX_DETECTIONS, SIDES] },
      { name: 'category', element: 'float', shape: [1, MAX_DETECTIONS] },
      { name: 'score', element: 'float', shape: [1, MAX_DETECTIONS] },
    );
  } else {
    graph.add('Identity', [made.get(PROBABILITY) ?? ''], {}, PROBABILITY);
    outputs.push({ name: PROBABILITY, element: 'float', shape: [1, labels.length] });
  }
  return onnxBytes({
    name: task,
    description: `Labels in the order of the output: ${labels.join(', ')}`,
    nodes: graph.nodes,
    tensors: graph.tensors,
    inputs: [{ name: IMAGE, element: 'uint8', shape: [1, size, size, CHANNELS] }],
    outputs,
  });
}
