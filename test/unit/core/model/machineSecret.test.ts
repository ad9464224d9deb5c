import assert from 'node:assert/strict';
import { partId } from '../../../../src/core/model/ids';
import {
  activeSecrets,
  formatCloudCredentials,
  secretFromWire,
} from '../../../../src/core/stores/secretStore';

describe('secrets of machines', () => {
  const wire = { id: 's', secret: 'x', createdOn: undefined };

  it('are active unless they are disabled', () => {
    const secrets = [0, 1, 2, 9].map((state) => secretFromWire({ ...wire, state }));
    assert.deepEqual(
      secrets.map(({ state }) => state),
      ['unknown', 'enabled', 'disabled', 'unknown'],
    );
    assert.equal(activeSecrets(secrets).length, 3);
  });

  const addresses: readonly (readonly [baseUrl: string, appAddress: string])[] = [
    ['https://fleet.example.com', 'https://fleet.example.com:443'],
    ['https://fleet.example.com:8443', 'https://fleet.example.com:8443'],
    ['http://fleet.example.com', 'http://fleet.example.com:80'],
    ['http://127.0.0.1:4800', 'http://127.0.0.1:4800'],
    ['https://[::1]:4800', 'https://[::1]:4800'],
  ];
  for (const [baseUrl, appAddress] of addresses) {
    it(`are formatted with the address ${baseUrl} and its port`, () => {
      const text = formatCloudCredentials({ baseUrl, partId: partId('p-1'), secret: 's3cret' });
      assert.deepEqual(JSON.parse(text), {
        cloud: { app_address: appAddress, id: 'p-1', secret: 's3cret' },
      });
    });
  }
});
