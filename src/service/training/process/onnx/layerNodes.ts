import { tidy, transpose } from '@tensorflow/tfjs-core';
import type { layers, LayersModel, SymbolicTensor } from '@tensorflow/tfjs-layers';
import type { OnnxGraph } from './onnxGraph';

type Layer = ReturnType<typeof layers.dense>;

const KERNEL = 3;

/**
 * Adds the layers of a network to a graph. In ONNX, channels precede rows and columns; only in the
 * input images are they last.
 * @param image name of the input, which contains the bytes of an image.
 * @returns the names of the outputs by the names of the layers that produce them.
 */
export function addLayers(
  graph: OnnxGraph,
  model: LayersModel,
  image: string,
): Map<string, string> {
  const names = new Map<string, string>();
  const outputs = new Map<string, string>();
  for (const layer of model.layers) {
    const kind = layer.getClassName();
    const input = kind === 'InputLayer' ? [] : [layer.input].flat();
    const known = input.map(({ name }) => names.get(name) ?? '');
    const output = kind === 'InputLayer' ? image : addLayer(graph, layer, kind, known);
    names.set((layer.output as SymbolicTensor).name, output);
    outputs.set(layer.name, output);
  }
  return outputs;
}

function addLayer(
  graph: OnnxGraph,
  layer: LayersModel['layers'][number],
  kind: string,
  inputs: readonly string[],
): string {
  const [input = ''] = inputs;
  const config = layer.getConfig();
  switch (kind) {
    case 'Rescaling': {
      const pixels = graph.add('Cast', [input], { to: 1 });
      const scaled = graph.add('Mul', [pixels, graph.floats([Number(config.scale)], [1])]);
      const moved = graph.add('Add', [scaled, graph.floats([Number(config.offset)], [1])]);
      return graph.add('Transpose', [moved], { perm: [0, 3, 1, 2] });
    }
    case 'Conv2D':
      return addConvolution(graph, layer, input);
    case 'MaxPooling2D':
      return graph.add('MaxPool', [input], { kernel_shape: [2, 2], strides: [2, 2] });
    case 'UpSampling2D':
      return graph.add('Resize', [input, '', graph.floats([1, 1, 2, 2], [4])], {
        mode: 'nearest',
        coordinate_transformation_mode: 'asymmetric',
        nearest_mode: 'floor',
      });
    case 'Concatenate':
      return graph.add('Concat', inputs, { axis: 1 });
    case 'GlobalAveragePooling2D':
      return graph.add('Flatten', [graph.add('GlobalAveragePool', [input])]);
    case 'GlobalMaxPooling2D':
      return graph.add('Flatten', [graph.add('GlobalMaxPool', [input])]);
    case 'Dense':
      return addDense(graph, layer, input);
    case 'Activation':
      return config.activation === 'softmax'
        ? graph.add('Softmax', [input], { axis: 1 })
        : graph.add('Sigmoid', [input]);
    default:
      throw new Error(`a layer of type ${kind} is not supported in ONNX export`);
  }
}

/**
 * Adds a convolution with "same" padding. If the padding is uneven, more of it is at the bottom and
 * right.
 */
function addConvolution(
  graph: OnnxGraph,
  layer: LayersModel['layers'][number],
  input: string,
): string {
  const height = getRowCount(layer.input as SymbolicTensor);
  const outHeight = getRowCount(layer.output as SymbolicTensor);
  const stride = Math.round(height / outHeight);
  const margin = Math.max((outHeight - 1) * stride + KERNEL - height, 0);
  const [before, after] = [Math.floor(margin / 2), Math.ceil(margin / 2)];
  const convolved = graph.add('Conv', [input, ...addWeights(graph, layer, [3, 2, 0, 1])], {
    kernel_shape: [KERNEL, KERNEL],
    strides: [stride, stride],
    pads: [before, before, after, after],
  });
  return graph.add('Relu', [convolved]);
}

/**
 * Adds a dense layer. If its input is an image, the layer is applied to each position separately.
 */
function addDense(graph: OnnxGraph, layer: LayersModel['layers'][number], input: string): string {
  const weights = addWeights(graph, layer, [1, 0]);
  if ((layer.output as SymbolicTensor).shape.length === 2) {
    return graph.add('Gemm', [input, ...weights], { transB: 1 });
  }
  const [numbers, bias] = weights;
  const across = graph.add('Unsqueeze', [numbers, graph.whole([2, 3])]);
  return graph.add('Conv', [input, across, bias], { kernel_shape: [1, 1] });
}

function addWeights(
  graph: OnnxGraph,
  layer: Pick<Layer, 'getWeights'>,
  order: readonly number[],
): [string, string] {
  const [kernel, bias] = layer.getWeights();
  if (!kernel || !bias) throw new Error('a layer without weights');
  return tidy(() => {
    const turned = transpose(kernel, [...order]);
    return [
      graph.floats(turned.dataSync() as Float32Array, turned.shape),
      graph.floats(bias.dataSync() as Float32Array, bias.shape),
    ];
  });
}

function getRowCount({ shape }: SymbolicTensor): number {
  return shape[1] ?? 0;
}
