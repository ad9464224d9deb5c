import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { atOnce } from '../../../../src/base/slices';
import { findRejections } from '../../../../src/core/validation/configStructure';
import { checkConfig } from '../../../../src/service/config/configRules';

/** Returns the service's message for a config; undefined if the service saves it. */
function reject(config: JsonObject): string | undefined {
  try {
    atOnce(checkConfig(config, 'config'));
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ConnectError);
    assert.equal(error.code, Code.InvalidArgument);
    return error.rawMessage;
  }
}

describe('findRejections', () => {
  const rejected: readonly [config: JsonObject, path: string, message: string][] = [
    [{ jobs: {} }, 'jobs', 'config.jobs: must be a list'],
    [{ fragments: 'f' }, 'fragments', 'config.fragments: must be a list'],
    [{ services: [{}, 'a'] }, 'services.1', 'config.services[1]: must be an object'],
    [
      { fragments: ['f', { version: '1' }] },
      'fragments.1',
      'config.fragments[1]: must be a fragment ID or an object with an id',
    ],
    [{ modules: [{ name: 1 }] }, 'modules.0.name', 'config.modules[0].name: must be a string'],
    [
      { remotes: [{ name: 'a' }, { name: 'a' }] },
      'remotes.1.name',
      'config.remotes[1].name: "a" is used twice',
    ],
  ];
  for (const [config, path, message] of rejected) {
    it(`finds what the service rejects: ${message}`, () => {
      const found = [...findRejections(config)];
      assert.deepEqual(
        found.map((one) => one.path.join('.')),
        [path],
      );
      assert.equal(reject(config), message);
    });
  }

  it('accepts missing sections, services with equal names, and unknown sections', () => {
    const config = {
      components: null,
      services: [{ name: 'a' }, { name: 'a' }],
      modules: [{ name: '' }, { name: '' }, {}],
      weather: 'fair',
    };
    assert.deepEqual([...findRejections(config)], []);
    assert.equal(reject(config), undefined);
  });

  it('accepts a variable as a name or section, which the machines that use a fragment provide', () => {
    const name = { $variable: { name: 'camera' } };
    const config = { components: [{ name }, { name }], services: name };
    assert.deepEqual([...findRejections(config)], []);
    assert.equal(reject(config), undefined);
  });
});
