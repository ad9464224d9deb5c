import assert from 'node:assert/strict';
import type { ResultNode } from '../../src/shared/query/results';
import { type TreeLine, TreeModel } from '../../webview/results/tree/treeModel';

const text = (key: string): ResultNode => ({ key, kind: 'text', text: '' });
const object = (key: string, size: number): ResultNode => ({ key, kind: 'object', text: '', size });

function describeLine(line: TreeLine | undefined): string {
  if (!line) return 'nothing';
  if (line.type === 'row') return `row ${line.rowIndex}`;
  if (line.type === 'more') return `${line.known} of ${line.size} in ${line.path.join('/')}`;
  return `${line.node.rowIndex}:${line.node.path.join('/')}`;
}

describe('the lines of a tree of rows', () => {
  let model: TreeModel;

  beforeEach(() => {
    model = new TreeModel();
    model.setCount(1_000_000);
  });

  const lines = (...indexes: readonly number[]): readonly string[] =>
    indexes.map((index) => describeLine(model.at(index)));

  it('are the rows as long as nothing is expanded', () => {
    assert.equal(model.total, 1_000_000);
    assert.deepEqual(lines(0, 999_999, 1_000_000, -1), [
      ...['row 0', 'row 999999', 'nothing', 'nothing'],
    ]);
  });

  it('include nested values after their row, and map back', () => {
    model.add(2, [], { nodes: [text('a'), object('b', 1)], size: 2 });
    model.add(2, ['b'], { nodes: [text('c')], size: 1 });
    model.add(0, [], { nodes: [text('z')], size: 1 });
    assert.equal(model.total, 1_000_004);
    assert.deepEqual(lines(0, 1, 2, 3, 4, 5, 6, 7), [
      ...['row 0', '0:z', 'row 1', 'row 2', '2:a', '2:b', '2:b/c', 'row 3'],
    ]);
    assert.equal(model.getLineIndex(3), 7);
    assert.equal(model.getLineIndex(2, ['b', 'c']), 6);
    assert.equal(describeLine(model.at(1_000_003)), 'row 999999');
  });

  it('report how later lines move', () => {
    assert.deepEqual(model.add(2, [], { nodes: [object('a', 3), text('b')], size: 2 }), {
      at: 3,
      by: 2,
    });
    assert.deepEqual(model.add(2, ['a'], { nodes: [text('c')], size: 3 }), { at: 4, by: 2 });
    assert.deepEqual(model.add(2, ['a'], { nodes: [text('d'), text('e')], size: 3 }), {
      at: 6,
      by: 1,
    });
  });

  it('include a line for the rest of a long list, and insert that after the list', () => {
    model.add(0, [], { nodes: [text('0'), text('1')], size: 3 });
    assert.equal(describeLine(model.at(3)), '2 of 3 in ');
    model.add(0, [], { nodes: [text('2')], size: 3 });
    assert.deepEqual(lines(3, 4), ['0:2', 'row 1']);
    const last = model.at(3);
    assert.ok(last?.type === 'node' && last.node.index === 2 && last.node.siblings === 3);
  });

  it('drop the contents of a collapsed value, but not of one with a similar name', () => {
    model.add(0, [], { nodes: [object('a', 1), object('a","b', 1)], size: 2 });
    model.add(0, ['a'], { nodes: [object('b', 1)], size: 1 });
    model.add(0, ['a', 'b'], { nodes: [text('c')], size: 1 });
    model.add(0, ['a","b'], { nodes: [text('d')], size: 1 });
    model.close(0, ['a']);
    assert.deepEqual(lines(1, 2, 3, 4), ['0:a', '0:a","b', '0:a","b/d', 'row 1']);
    assert.ok(!model.isOpen(0, ['a', 'b']));
    model.close(0, []);
    assert.equal(model.total, 1_000_000);
  });
});
