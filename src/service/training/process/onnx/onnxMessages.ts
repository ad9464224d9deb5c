import { BinaryWriter } from '@bufbuild/protobuf/wire';

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

export type AttributeValue = number | string | readonly number[] | { readonly float: number };

export interface OnnxNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** A constant of the model. */
export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

/** An input or output of the model. */
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
  if (typeof value === 'number') writer.tag(3, 0).int64(value).tag(20, 0).int32(INT);
  else if (typeof value === 'string') {
    writer.tag(4, 2).bytes(Buffer.from(value)).tag(20, 0).int32(STRING);
  } else if ('float' in value) writer.tag(2, 5).float(value.float).tag(20, 0).int32(FLOAT);
  else {
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
