import assert from 'node:assert/strict';
import {
  configEntries,
  entriesTouched,
  formatEntries,
  replaceWithFragment,
} from '../../../../src/core/documents/fragmentEdits';

const CONFIG = `{
  "components": [
    {"name": "cam", "api": "rdk:component:camera", "attributes": {"id": 12345678901234567890}},
    {
      "name":  "motor",
      "model": "gpio"
    }
  ],
  "services": [ { "name": "vision", "type": "vision" }, 3 ],
  "processes": [{"id": "p", "name": "python"}],
  "fragments": ["already"],
  "network": {"bind_address": ":8080"}
}
`;

function named(names: readonly string[]) {
  return configEntries(CONFIG).filter(({ name }) => names.includes(name));
}

function touched(from: string, to = from): string[] {
  const start = CONFIG.indexOf(from);
  const end = CONFIG.indexOf(to, start) + to.length;
  return entriesTouched(CONFIG, { start, end }).map(({ name }) => name);
}

describe('configEntries', () => {
  it('lists the entries that a fragment can contain', () => {
    assert.deepEqual(
      configEntries(CONFIG).map(({ section, index, name, type }) => [section, index, name, type]),
      [
        ['components', 0, 'cam', 'rdk:component:camera'],
        ['components', 1, 'motor', 'gpio'],
        ['services', 0, 'vision', 'vision'],
        ['processes', 0, 'p', ''],
      ],
    );
    for (const text of ['', '[]', '{"components": 3}', '{"components": [', 'null']) {
      assert.deepEqual(configEntries(text), [], text);
    }
  });

  it('finds the entries in a selection', () => {
    assert.deepEqual(touched('"motor"'), ['motor']);
    assert.deepEqual(touched('"cam"', '"gpio"'), ['cam', 'motor']);
    assert.deepEqual(touched('"components"'), ['cam', 'motor']);
    assert.deepEqual(touched('"components"', '"services"'), ['cam', 'motor']);
    assert.deepEqual(touched('"bind_address"'), []);
  });

  it('preserves the format of entries', () => {
    assert.equal(
      formatEntries(named(['cam', 'vision', 'p'])),
      '{"components": [{"name": "cam", "api": "rdk:component:camera", "attributes": ' +
        '{"id": 12345678901234567890}}], "services": [{ "name": "vision", "type": "vision" }], ' +
        '"processes": [{"id": "p", "name": "python"}]}',
    );
  });

  it('replaces entries with a fragment and preserves the rest', () => {
    assert.equal(
      replaceWithFragment(CONFIG, named(['cam', 'vision']), 'fresh'),
      `{
  "components": [
    {
      "name":  "motor",
      "model": "gpio"
    }
  ],
  "services": [ 3 ],
  "processes": [{"id": "p", "name": "python"}],
  "fragments": ["already", "fresh"],
  "network": {"bind_address": ":8080"}
}
`,
    );
    assert.equal(
      replaceWithFragment(
        '{"components":[{"name":"a"}]}',
        configEntries('{"components":[{"name":"a"}]}'),
        'f',
      ),
      '{"components":[],"fragments":[{"id":"f"}]}',
    );
  });
});
