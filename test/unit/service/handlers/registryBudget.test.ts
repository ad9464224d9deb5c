import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { type RegistryItem, RegistryItemSchema } from '../../../../src/gen/viam/app/v1/registry_pb';
import { withinBudget } from '../../../../src/service/handlers/registry';

const MANY = 60;
const LONG_TEXT = 'x'.repeat(1024 * 1024);

function createModule(organizationId: string, index: number): RegistryItem {
  return create(RegistryItemSchema, {
    itemId: `${organizationId}:${String(index)}`,
    organizationId,
    metadata: { case: 'moduleMetadata', value: { entrypoint: LONG_TEXT } },
    billing: {},
  });
}

describe('withinBudget', () => {
  it('lists every item, with as much metadata of other organizations as the budget allows', () => {
    const theirs = Array.from({ length: MANY }, (_, index) => createModule('theirs', index));
    const items = [...theirs, createModule('mine', 0)];
    const listed = withinBudget(items, (item) => item.organizationId === 'mine');
    assert.deepEqual(
      listed.map(({ itemId }) => itemId),
      items.map(({ itemId }) => itemId),
    );
    const whole = listed.filter((item) => item.metadata.case !== undefined);
    assert.ok(whole.length > 1 && whole.length < MANY, String(whole.length));
    assert.equal(whole.at(-1)?.itemId, 'mine:0');
    assert.ok(listed.every(({ metadata, billing }) => (metadata.case === undefined) === !billing));
  });
});
