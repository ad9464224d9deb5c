import type { AttributeValue, OnnxNode, OnnxTensor } from './onnxMessages';

/** The nodes of a model, in the order in which they are added, and its constants. */
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
