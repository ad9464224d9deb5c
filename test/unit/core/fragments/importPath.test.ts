import assert from 'node:assert/strict';
import { findImportPath, fragmentsNamedBy } from '../../../../src/core/bulk/machinesUsing';

const library = new Map<string, unknown>([
  ['rover', { fragments: ['drive', { id: 'spare', disabled: true }] }],
  ['drive', { fragments: [{ id: 'motor', prefix: 'left' }, 'rover'] }],
]);
const read = (id: string): unknown => library.get(id);

describe('findImportPath', () => {
  it('finds the shortest path, and reports whether it is disabled', () => {
    const use = (fragments: unknown, id: string) => findImportPath({ fragments }, id, read);
    assert.deepEqual(use(['rover'], 'rover'), { through: [], disabled: false });
    assert.deepEqual(use(['rover'], 'motor'), { through: ['rover', 'drive'], disabled: false });
    assert.deepEqual(use(['rover', 'drive'], 'motor')?.through, ['drive']);
    assert.deepEqual(use(['rover'], 'spare'), { through: ['rover'], disabled: true });
    assert.deepEqual(use([{ id: 'a', disabled: true }], 'a'), { through: [], disabled: true });
    assert.equal(use(['rover', 'unknown', 3], 'elsewhere'), undefined);
    assert.equal(findImportPath(undefined, 'a', read), undefined);
  });

  it('names all used fragments, also through cycles', () => {
    assert.deepEqual(
      [...fragmentsNamedBy([{ fragments: ['rover'] }, { fragments: ['x', 'x'] }], read)],
      ['rover', 'x', 'drive', 'spare', 'motor'],
    );
  });
});
