import assert from 'node:assert/strict';
import { append, remove, set, together, unset } from '../../../../src/service/demo/configParts';
import type { ConfigChange } from '../../../../src/service/demo/plan';

function edited(change: ConfigChange) {
  const config = {
    components: [
      { name: 'left', attributes: { max_rpm: 100 } },
      { name: 'right', attributes: { max_rpm: 100, pins: { a: '1' } } },
    ],
    processes: [{ id: 'exporter', args: [] }],
  };
  change(config, (key) => key);
  return config;
}

describe('configEdits', () => {
  it('finds entries by name or id, as fragment_mods do', () => {
    const config = edited(
      together(
        set('components.right.attributes.pins.a', '7'),
        set('processes.exporter.one_shot', true),
        unset('components.left.attributes.max_rpm'),
      ),
    );
    assert.deepEqual(config, {
      components: [
        { name: 'left', attributes: {} },
        { name: 'right', attributes: { max_rpm: 100, pins: { a: '7' } } },
      ],
      processes: [{ id: 'exporter', args: [], one_shot: true }],
    });
  });

  it('adds to lists, makes them, and takes out of them', () => {
    const config = edited(together(append('jobs', { name: 'home' }), remove('components', 'left')));
    assert.deepEqual(Object.keys(config), ['components', 'processes', 'jobs']);
    assert.deepEqual(
      config.components.map(({ name }) => name),
      ['right'],
    );
  });

  it('refuses a path that leads nowhere', () => {
    assert.throws(
      () => edited(set('components.middle.attributes.max_rpm', 1)),
      /components.middle/,
    );
  });
});
