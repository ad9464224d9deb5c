import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { changeReaders, editConfig } from '../../../../src/service/demo/editConfig';
import { object } from '../../../../src/service/demo/jsonReaders';

function edit(changes: JsonObject) {
  const config = {
    components: [
      { name: 'left', attributes: { max_rpm: 100 } },
      { name: 'right', attributes: { max_rpm: 100, pins: { a: '1' } } },
    ],
    processes: [{ id: 'exporter', args: [] }],
  };
  return editConfig(config, object(changeReaders)(changes, 'edits[0]'), 'edits[0]');
}

describe('editConfig', () => {
  it('finds entries by name or ID, like fragment_mods', () => {
    const config = edit({
      set: { 'components.right.attributes.pins.a': '7', 'processes.exporter.one_shot': true },
      unset: ['components.left.attributes.max_rpm'],
    });
    assert.deepEqual(config, {
      components: [
        { name: 'left', attributes: {} },
        { name: 'right', attributes: { max_rpm: 100, pins: { a: '7' } } },
      ],
      processes: [{ id: 'exporter', args: [], one_shot: true }],
    });
  });

  it('creates lists, and appends to and removes from them', () => {
    const config = edit({
      remove: { components: ['left'] },
      append: { jobs: [{ name: 'home' }], components: [{ name: 'lift' }] },
    });
    assert.deepEqual(config, {
      components: [
        { name: 'right', attributes: { max_rpm: 100, pins: { a: '1' } } },
        { name: 'lift' },
      ],
      processes: [{ id: 'exporter', args: [] }],
      jobs: [{ name: 'home' }],
    });
  });

  it('rejects changes to entries that do not exist', () => {
    assert.throws(() => edit({ set: { 'components.middle.attributes.max_rpm': 1 } }), {
      message:
        'edits[0].set["components.middle.attributes.max_rpm"] is not in the config, which has no components.middle.attributes',
    });
    assert.throws(() => edit({ unset: ['services.map.attributes.size'] }), {
      message: 'edits[0].unset[0] is not in the config, which has no services.map.attributes',
    });
    assert.throws(() => edit({ remove: { components: ['middle'] } }), {
      message: 'edits[0].remove.components names "middle", which is not in the config',
    });
  });

  it('rejects a path to unset that does not exist, and names it', () => {
    assert.throws(() => edit({ unset: ['components.left.attributes.max_speed'] }), {
      message:
        'edits[0].unset[0] names "components.left.attributes.max_speed", which is not in the config',
    });
  });
});
