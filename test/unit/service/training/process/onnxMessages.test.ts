import assert from 'node:assert/strict';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { onnxBytes, OnnxGraph } from '../../../../../src/service/training/process/onnx';

/** Returns the fields of a message with their bytes or numbers, by field number. */
function readFields(bytes: Uint8Array): Map<number, (Uint8Array | number)[]> {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, (Uint8Array | number)[]>();
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const value =
      type === WireType.LengthDelimited
        ? reader.bytes()
        : type === WireType.Bit32
          ? reader.float()
          : Number(reader.int64());
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

const inside = (fields: Map<number, (Uint8Array | number)[]>, field: number, at = 0) =>
  readFields(fields.get(field)?.[at] as Uint8Array);
const decodeText = (value: Uint8Array | number | undefined): string =>
  Buffer.from(value as Uint8Array).toString();

describe('an ONNX model', () => {
  const graph = new OnnxGraph();
  const sum = graph.add('Add', ['image', graph.floats([1, 2], [2])]);
  graph.add('Transpose', [sum], { perm: [1, 0], mode: 'any', share: { float: 0.5 } }, 'out');
  const model = readFields(
    onnxBytes({
      name: 'test',
      description: 'of two numbers',
      nodes: graph.nodes,
      tensors: graph.tensors,
      inputs: [{ name: 'image', element: 'uint8', shape: [1, 2] }],
      outputs: [{ name: 'out', element: 'float', shape: [1, 2] }],
    }),
  );
  const written = inside(model, 7);

  it('contains the versions of its format and operators', () => {
    assert.deepEqual(model.get(1), [7]);
    assert.deepEqual(inside(model, 8).get(2), [13]);
  });

  it('contains nodes in order, each with inputs and outputs', () => {
    const [first, second] = [inside(written, 1, 0), inside(written, 1, 1)];
    assert.deepEqual(first.get(1)?.map(decodeText), ['image', 'values0']);
    assert.deepEqual(second.get(1)?.map(decodeText), first.get(2)?.map(decodeText));
    assert.equal(decodeText(second.get(4)?.[0]), 'Transpose');
    const [order, mode, share] = [0, 1, 2].map((at) => inside(second, 5, at));
    assert.deepEqual([order?.get(8), order?.get(20)], [[1, 0], [7]]);
    assert.deepEqual([decodeText(mode?.get(4)?.[0]), mode?.get(20)], ['any', [3]]);
    assert.deepEqual([share?.get(2), share?.get(20)], [[0.5], [1]]);
  });

  it('contains numbers as little-endian bytes', () => {
    const tensor = inside(written, 5);
    assert.deepEqual([tensor.get(1), tensor.get(2)], [[2], [1]]);
    assert.equal(Buffer.from(tensor.get(9)?.[0] as Uint8Array).toString('hex'), '0000803f00000040');
  });

  it('describes its inputs and outputs', () => {
    const [input, output] = [inside(written, 11), inside(written, 12)];
    assert.deepEqual(
      [input, output].map((value) => decodeText(value.get(1)?.[0])),
      ['image', 'out'],
    );
    const type = inside(inside(input, 2), 1);
    assert.deepEqual(type.get(1), [2]);
    const sizes = inside(type, 2)
      .get(1)
      ?.map((size) => readFields(size as Uint8Array).get(1)?.[0]);
    assert.deepEqual(sizes, [1, 2]);
  });
});
