import assert from 'node:assert/strict';
import { resourceNamesIn } from '../../../../src/core/configChecks/resourceNames';
import { parseStrictTree } from '../../../../src/core/documents/jsonText';

describe('resourceNamesIn', () => {
  it('takes only names in attributes for references, not paths, URLs or longer texts', () => {
    const attributes = {
      source: 'camera',
      qualified: 'rdk:component:camera/camera',
      device: '/dev/camera',
      url: 'https://example.com/v1/camera',
      size: 'camera:640',
      directory: '/data/',
      serial: '',
    };
    const components = [
      { name: 'camera', type: 'camera', model: 'fake', attributes },
      { name: '', type: 'arm', model: 'fake' },
    ];
    const node = parseStrictTree(JSON.stringify({ components }));
    assert.ok(node);
    const { references } = resourceNamesIn({ node, path: [] });
    assert.deepEqual(
      references.map(({ at }) => at.path.at(-1)),
      ['source', 'qualified'],
    );
  });
});
