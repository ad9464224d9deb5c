import { tidy, transpose } from '@tensorflow/tfjs-core';
import type { layers, LayersModel, SymbolicTensor } from '@tensorflow/tfjs-layers';
import { BinaryWriter } from '@bufbuild/protobuf/wire';

type Layer = ReturnType<typeof layers.dense>;

const KERNEL = 3;

/**
 * Adds a network's layers to a graph. In ONNX, channels precede rows and columns, except in the
 * input images, where they are last.
 * @param image name of the input, which contains an image's bytes.
 * @returns the names of the outputs, by the name of the layer that produces each output.
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

/** A model's nodes, in the order in which they are added, and its constants. */
export class OnnxGraph {
  readonly nodes: OnnxNode[] = [];
  readonly tensors: OnnxTensor[] = [];

  /** @returns the name of the node's output, which is generated unless `output` specifies it. */
  add(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, AttributeValue>> = {},
    output = `${operator.toLowerCase()}${String(this.nodes.length)}`,
  ): string {
    this.nodes.push({ operator, inputs, outputs: [output], attributes });
    return output;
  }

  /** Adds a node with two outputs. */
  addPair(operator: string, inputs: readonly string[], outputs: readonly [string, string]): void {
    this.nodes.push({ operator, inputs, outputs, attributes: {} });
  }

  /** @returns the name of the float constant. */
  floats(values: Float32Array | readonly number[], shape: readonly number[]): string {
    return this.addTensor(Float32Array.from(values), shape);
  }

  /** @returns the name of the integer constant. */
  whole(values: readonly number[], shape: readonly number[] = [values.length]): string {
    return this.addTensor(BigInt64Array.from(values, BigInt), shape);
  }

  private addTensor(values: Float32Array | BigInt64Array, shape: readonly number[]): string {
    const name = `values${String(this.tensors.length)}`;
    this.tensors.push({ name, shape, values });
    return name;
  }
}

/**
 * ONNX operator set version. This file implements only the ONNX messages that these models use,
 * with the field numbers of `onnx.proto`.
 */
const OPERATORS = 13;
/** IR version that tools with this operator set support. */
const FORMAT = 7;

const ELEMENT = { float: 1, uint8: 2, int64: 7 } as const;
export type Element = keyof typeof ELEMENT;

/** Types of attributes. */
const [FLOAT, INT, STRING, INTS] = [1, 2, 3, 7];

type AttributeValue = number | string | readonly number[] | { readonly float: number };

interface OnnxNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** A constant of the model. */
interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

/** One of the model's inputs or outputs. */
export interface OnnxValue {
  readonly name: string;
  readonly element: Element;
  readonly shape: readonly number[];
}

export interface OnnxModel {
  readonly name: string;
  readonly description: string;
  readonly nodes: readonly OnnxNode[];
  readonly tensors: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

/** Returns the bytes of an `.onnx` file. */
export function onnxBytes(model: OnnxModel): Uint8Array {
  const writer = new BinaryWriter().tag(1, 0).int64(FORMAT);
  text(writer, 2, 'Fleetwright');
  message(writer, 7, (graph) => writeGraph(graph, model));
  message(writer, 8, (set) => {
    text(set, 1, '');
    set.tag(2, 0).int64(OPERATORS);
  });
  return writer.finish();
}

function writeGraph(
  writer: BinaryWriter,
  { name, description, nodes, tensors, inputs, outputs }: OnnxModel,
): void {
  for (const node of nodes) message(writer, 1, (child) => writeNode(child, node));
  text(writer, 2, name);
  for (const tensor of tensors) message(writer, 5, (child) => writeTensor(child, tensor));
  text(writer, 10, description);
  for (const value of inputs) message(writer, 11, (child) => writeValue(child, value));
  for (const value of outputs) message(writer, 12, (child) => writeValue(child, value));
}

function writeNode(writer: BinaryWriter, node: OnnxNode): void {
  for (const name of node.inputs) text(writer, 1, name);
  for (const name of node.outputs) text(writer, 2, name);
  text(writer, 3, node.outputs.join(' '));
  text(writer, 4, node.operator);
  for (const [name, value] of Object.entries(node.attributes)) {
    message(writer, 5, (child) => writeAttribute(child, name, value));
  }
}

function writeAttribute(writer: BinaryWriter, name: string, value: AttributeValue): void {
  text(writer, 1, name);
  if (typeof value === 'number') {
    writer.tag(3, 0).int64(value).tag(20, 0).int32(INT);
  } else if (typeof value === 'string') {
    writer.tag(4, 2).bytes(Buffer.from(value)).tag(20, 0).int32(STRING);
  } else if ('float' in value) {
    writer.tag(2, 5).float(value.float).tag(20, 0).int32(FLOAT);
  } else {
    for (const one of value) writer.tag(8, 0).int64(one);
    writer.tag(20, 0).int32(INTS);
  }
}

function writeTensor(writer: BinaryWriter, { name, shape, values }: OnnxTensor): void {
  for (const size of shape) writer.tag(1, 0).int64(size);
  const element = values instanceof Float32Array ? ELEMENT.float : ELEMENT.int64;
  writer.tag(2, 0).int32(element);
  text(writer, 8, name);
  // Uses the byte order of this computer. ONNX requires little-endian, which all supported
  // platforms use.
  const { buffer, byteOffset, byteLength } = values;
  writer.tag(9, 2).bytes(new Uint8Array(buffer, byteOffset, byteLength));
}

function writeValue(writer: BinaryWriter, { name, element, shape }: OnnxValue): void {
  text(writer, 1, name);
  message(writer, 2, (type) =>
    message(type, 1, (tensor) => {
      tensor.tag(1, 0).int32(ELEMENT[element]);
      message(tensor, 2, (sizes) => {
        for (const size of shape) message(sizes, 1, (one) => one.tag(1, 0).int64(size));
      });
    }),
  );
}

function message(writer: BinaryWriter, field: number, write: (child: BinaryWriter) => void): void {
  writer.tag(field, 2).fork();
  write(writer);
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, 2).string(value);
}
