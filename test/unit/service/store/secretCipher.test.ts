import assert from 'node:assert/strict';
import { isEncrypted, newSecretsKey, SecretCipher } from '../../../../src/service/store/secrets';

describe('SecretCipher', () => {
  const key = newSecretsKey();
  const cipher = new SecretCipher([key]);

  it('decrypts what it has encrypted, with a different ciphertext each time', () => {
    const texts = ['', 'secret', 'Grüße', 'x'.repeat(10_000)];
    for (const text of texts) {
      const encrypted = cipher.encrypt(text, 'row');
      assert.ok(isEncrypted(encrypted) && encrypted.startsWith(cipher.prefix));
      assert.notEqual(encrypted, cipher.encrypt(text, 'row'));
      assert.equal(cipher.decrypt(encrypted, 'row'), text);
    }
    assert.ok(!cipher.encrypt('secret', 'row').includes('secret'));
    assert.ok(!isEncrypted('secret'));
  });

  it('rejects the ciphertext of another row, and any changed byte', () => {
    const encrypted = cipher.encrypt('secret', 'row');
    assert.throws(() => cipher.decrypt(encrypted, 'other row'));
    const [version = '', keyId = '', sealed = ''] = encrypted.split(':');
    const bytes = Buffer.from(sealed, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.throws(() =>
        cipher.decrypt([version, keyId, changed.toString('base64url')].join(':'), 'row'),
      );
    }
    assert.throws(() => cipher.decrypt('secret', 'row'), /not encrypted/);
    assert.throws(() => cipher.decrypt(`${version}:${keyId}:`, 'row'));
  });

  it('decrypts with earlier keys, and encrypts with the first', () => {
    const newer = new SecretCipher([newSecretsKey(), key]);
    assert.equal(newer.decrypt(cipher.encrypt('secret', 'row'), 'row'), 'secret');
    assert.ok(newer.hasKey(cipher.keyId) && newer.keyId !== cipher.keyId);
    assert.throws(
      () => cipher.decrypt(newer.encrypt('secret', 'row'), 'row'),
      new RegExp(`the key ${newer.keyId}, which the service doesn't have`),
    );
  });
});
