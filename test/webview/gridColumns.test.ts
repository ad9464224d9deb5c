import assert from 'node:assert/strict';
import { GridColumns } from '../../webview/ui/table/gridColumns';

describe('columns of a grid', () => {
  it('are next to each other, even with the names of properties of `Object.prototype`', () => {
    const names = ['first', 'constructor', 'toString', '__proto__', 'last'];
    const columns = new GridColumns({
      fixed: names.map((name) => ({ id: name, name, kind: 'text' })),
    });
    let left = 0;
    for (const column of columns.shown) {
      assert.equal(column.left, left, column.name);
      left += column.width;
    }
    assert.ok(Number.isInteger(left));
    assert.equal(columns.shown.length, names.length);
  });
});
