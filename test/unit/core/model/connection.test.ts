import assert from 'node:assert/strict';
import { isKeyId, parseCredentialsFile } from '../../../../src/core/model/connection';

const KEY_ID = '0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a';

describe('credentials', () => {
  it('recognizes a key ID by its format', () => {
    assert.equal(isKeyId(KEY_ID), true);
    assert.equal(isKeyId(KEY_ID.toUpperCase()), true);
    assert.equal(isKeyId(`${KEY_ID}0`), false);
    assert.equal(isKeyId('key'), false);
  });

  it('parses the file that the fleet service writes', () => {
    const file = { url: 'http://127.0.0.1:1', apiKeyId: KEY_ID, apiKey: 'k', organizationId: 'o' };
    assert.deepEqual(parseCredentialsFile(JSON.stringify(file)), {
      baseUrl: 'http://127.0.0.1:1',
      keyId: KEY_ID,
      key: 'k',
    });
  });

  it('rejects anything else', () => {
    for (const text of ['', 'null', '[]', '{}', `{"url":"x","apiKeyId":"${KEY_ID}"}`]) {
      assert.equal(parseCredentialsFile(text), undefined);
    }
  });
});
