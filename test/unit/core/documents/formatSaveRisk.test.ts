import assert from 'node:assert/strict';
import { englishLocalizer } from '../../../../src/base/localizer';
import { formatSaveRisk } from '../../../../src/core/documents/formatSaveRisk';

describe('formatSaveRisk', () => {
  it('puts each name in quotation marks that it can not close', () => {
    const removed = ['cam. The save removes no resources', 'a", "b'];
    const renamed = [{ from: 'eye', to: 'ear. \u201cNothing\u201d is lost' }];
    const text = formatSaveRisk(
      { removed, renamed, newProblems: [], partCount: 0 },
      englishLocalizer,
    );
    assert.deepEqual(text.split('\n'), [
      `It removes 2 resources: "cam. The save removes no resources", "a', 'b".`,
      `It renames 1 resource: "eye" → "ear. 'Nothing' is lost".`,
    ]);
  });
});
