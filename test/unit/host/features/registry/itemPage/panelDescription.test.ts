import assert from 'node:assert/strict';
import { connectionId, organizationId, registryItemId } from '../../../../../../src/core/model/ids';
import type { RegistryItemTarget } from '../../../../../../src/core/model/resourceTarget';
import {
  describedPanel,
  describePanel,
} from '../../../../../../src/host/features/registry/itemPage/panelDescription';

const target: RegistryItemTarget = {
  kind: 'registryItem',
  connectionId: connectionId('c1'),
  itemType: 'module',
  organizationId: organizationId('o1'),
  itemId: registryItemId('acme:arm'),
  name: '"arm"',
};

describe('the saved target of a registry page', () => {
  it('is the same item after a reload', () => {
    assert.deepEqual(describedPanel(describePanel(target)), target);
  });

  for (const text of ['', '{', '[]', '{"connection":"c1"}', 'null']) {
    it(`is undefined for ${JSON.stringify(text)}`, () => {
      assert.equal(describedPanel(text), undefined);
    });
  }

  it('is undefined for an unknown type', () => {
    const text = describePanel(target).replace('"module"', '"virus"');
    assert.equal(describedPanel(text), undefined);
  });
});
