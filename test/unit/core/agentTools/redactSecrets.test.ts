import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import {
  isSecretName,
  REDACTED,
  SecretRedactor,
} from '../../../../src/core/agentTools/redactSecrets';
import { seededRandom } from '../../../support/seededRandom';

describe('SecretRedactor', () => {
  const redactor = new SecretRedactor(['known-secret-of-connection']);

  it('redacts values with the names of secrets, in any spelling', () => {
    const names = [
      ['password', 'db_password', 'DB_PASSWORD', 'wifiPassphrase', 'passwd', 'pwd', 'secret'],
      ['clientSecret', 'access_token', 'token', 'apiKey', 'api_key', 'API-KEY', 'apikey'],
      ['privateKey', 'signing_key', 'credentials', 'Authorization', 'connectionString'],
      ['AWSSecretKey', 'MQTTPassword', 'password2', 'passwords', 'wifi_psk'],
    ].flat();
    for (const name of names) {
      assert.ok(isSecretName(name), name);
      assert.deepEqual(redactor.redactJson({ [name]: 'canary' }), { [name]: REDACTED });
    }
    assert.deepEqual(redactor.redactJson({ credentials: { user: 'canary' } }), {
      credentials: REDACTED,
    });
  });

  it('leaves other names and values unchanged', () => {
    const value = {
      key: 'a',
      keyboard: 'b',
      publicKey: 'c',
      tokenizer: 'd',
      secretary: 'e',
      hasPassword: true,
      password: '',
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      path: '/opt/modules/norrvik-modbus-io/bin/Release/net8.0/linux-arm64',
      component: 'FrontCameraLeft-Warehouse-North-Hall-2024',
      model: 'acme:sonar:very-deep-measurement-model-with-long-name',
    };
    assert.deepEqual(redactor.redactJson(value), value);
  });

  it('redacts values beside their names', () => {
    assert.deepEqual(redactor.redactJson(['--password', 'canary', '--verbose', 'yes']), [
      '--password',
      REDACTED,
      '--verbose',
      'yes',
    ]);
    assert.deepEqual(redactor.redactJson([{ name: 'MQTT_PASSWORD', value: 'canary' }]), [
      { name: 'MQTT_PASSWORD', value: REDACTED },
    ]);
  });

  it('redacts a pair outside of a list', () => {
    const value = { env: { name: 'TOKEN', value: 'canary' } };
    assert.deepEqual(redactor.redactJson(value), { env: { name: 'TOKEN', value: REDACTED } });
  });

  it('redacts JSON in strings, at any depth, and keeps it valid', () => {
    let value: JsonObject = { dsn: 'canary', password: 'with \\ and " canary' };
    for (let depth = 0; depth < 3; depth += 1) value = { nested: JSON.stringify(value) };
    const redacted = redactor.redactJson(value);
    assert.ok(!JSON.stringify(redacted).includes('canary'), JSON.stringify(redacted));
    let inner = redacted as { nested?: string };
    while (inner.nested !== undefined) inner = JSON.parse(inner.nested) as { nested?: string };
    assert.deepEqual(inner, { dsn: REDACTED, password: REDACTED });
  });

  it('redacts JSON that is nested too deeply as text', () => {
    const deep = `${'['.repeat(100_000)}{"password":"canary"}${']'.repeat(100_000)}`;
    assert.ok(!redactor.redactDocument(deep).includes('canary'));
  });

  it('leaves redacted text unchanged', () => {
    for (const text of [
      ...['{"password":"canary"}', 'password=canary', '--token canary'],
      ...['Authorization: Bearer canary-7.abcdef', 'Authorization: Token canary'],
    ]) {
      const once = redactor.redactText(text);
      assert.equal(redactor.redactText(once), once);
    }
    assert.equal(
      redactor.redactText('token: null, "hasToken": true'),
      'token: null, "hasToken": true',
    );
  });

  // An ambiguous or overlapping pattern takes hours for these texts, and blocks the whole process.
  for (const [kind, text] of [
    ['digits', `${'0'.repeat(100)}aB`],
    ['letters', `${'a'.repeat(100)}B1=`],
    ['capitals', `${'A'.repeat(100)}b1=`],
    ['dotted words', 'a.'.repeat(500_000)],
    ['starts of web tokens', 'eyJ12345678-'.repeat(80_000)],
    ['starts of URLs', '://a:'.repeat(200_000)],
    ['names of secrets', 'password\\'.repeat(100_000)],
    ['open quotes', 'password="'.repeat(100_000)],
    ['options', '--password '.repeat(100_000)],
    ['cookies', 'cookie: a'.repeat(100_000)],
  ] as const) {
    it(`redacts in linear time: ${kind}`, () => {
      assert.ok(redactor.redactText(text).length > 0);
    });
  }

  for (const [form, text] of [
    ['an assignment', 'connecting with password=canary-7 to db'],
    ['a quoted assignment', '{"api_key": "canary-7 with spaces"}'],
    ['JSON in a string in a log line', String.raw`msg="{\"password\": \"canary-7\"}"`],
    ['a quoted assignment with a quote', String.raw`{"password": "a\"canary-7"`],
    ['a name in camel case', 'dbPassword=canary-7'],
    ['a name without separators', 'X3PASSWORD=canary-7 psql'],
    ['an option', 'mysql --password canary-7'],
    ['another authorization', 'Authorization: Token canary-7'],
    ['a short basic authorization', 'authorization: Basic canary-7'],
    ['an authorization without a scheme', 'authorization=canary-7'],
    ['a passcode', 'passcode: canary-7'],
    ['a passkey', 'passkey=canary-7'],
    ['a JSON web token with its name', 'jwt=canary-7'],
    ['several tokens', 'tokens: canary-7'],
    ['several keys', 'apiKeys=canary-7'],
    ['a cookie', 'Cookie: sid=1; id=canary-7'],
    ['a parameter without a known name', 'k=canary-7Zx9Qw3eRt7yUi1oPa5sDf8gH'],
    ['a long random word', 'canary-7Zx9+Qw3eRt7yUi1o'.repeat(8)],
    ['a password with an at sign in a URL', 'mqtt://robot:p@canary-7@broker.example.com'],
    ['a URL', 'mqtt://robot:canary-7@broker.example.com:1883'],
    ['a bearer token', 'Authorization: Bearer canary-7.abcdef'],
    ['a JSON web token', 'token is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnktNyJ9.canary-7'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\ncanary-7\n-----END RSA PRIVATE KEY-----'],
    ['an unfinished private key', '-----BEGIN PRIVATE KEY-----\ncanary-7'],
    ['a key with a prefix', 'pushed with ghp_canary-7canary-7canary-7'],
    ['a known secret', 'the key is known-secret-of-connection'],
  ] as const) {
    it(`redacts ${form} in text`, () => {
      const redacted = redactor.redactText(text);
      assert.ok(redacted.includes(REDACTED));
      assert.ok(!redacted.includes('canary-7') && !redacted.includes('of-connection'), redacted);
    });
  }

  for (const [form, text] of [
    ['an object with the name of a secret', 'loaded {"credentials": {"a": "canary-7"}} at 12:00'],
    ['a list with the name of a secret', 'keys: [1] {"tokens": ["canary-7", "b"]}'],
    ['a pair of a name and a value', 'env [{"name": "TOKEN", "value": "canary-7"}], started'],
    ['a later document', `a ${'{b} '.repeat(100)}{"d": "}"} {"secrets": [{"e": "canary-7"}]}`],
  ] as const) {
    it(`redacts ${form} in JSON behind other text`, () => {
      const redacted = redactor.redactMessage(text);
      assert.ok(!redacted.includes('canary-7'), redacted);
      assert.ok(redacted.startsWith(text.slice(0, 5)), redacted);
    });
  }

  it('keeps the text around JSON without secrets, and brackets that are not JSON', () => {
    for (const text of ['[12:00] {"port": 1} up', '[INFO] {a} [', 'x } ] {"a": [1,  2]}', '"{']) {
      assert.equal(redactor.redactMessage(text), text);
    }
  });

  it('redacts the rest of a message with too many brackets, in linear time', () => {
    const secrets = '{"env": [{"name": "TOKEN", "value": "canary-7"}]}';
    for (const brackets of ['['.repeat(200_000), '["'.repeat(100_000)]) {
      const redacted = redactor.redactMessage(`start ${brackets} ${secrets}`);
      assert.ok(redacted.startsWith('start [') && redacted.endsWith(REDACTED), redacted.slice(-80));
      assert.ok(!redacted.includes('canary-7'));
    }
    const closed = '{a}'.repeat(100_000);
    assert.equal(redactor.redactMessage(closed), closed);
    const colored = redactor.redactMessage(`${'\u001b[31m'.repeat(50)}message ${secrets} end`);
    assert.ok(!colored.includes('canary-7') && colored.endsWith('end'), colored);
  });

  it('keeps values beside the path of a file without secrets', () => {
    for (const text of ['"/etc/passwd": readings', '/etc/passwd: 12 lines']) {
      assert.equal(redactor.redactText(text), text);
    }
    assert.ok(!redactor.redactText('db/passwd: canary').includes('canary'));
  });

  it('redacts short secrets of a config if they are the whole value elsewhere', () => {
    const own = new SecretRedactor();
    own.addSecretsOf({ wifi: { password: 'hunt5' }, pin_code: '7', passcode: '12' });
    const value = { label: 'hunt5', note: 'the hunt5 is on', count: '12' };
    assert.deepEqual(own.redactJson(value), { ...value, label: REDACTED });
    assert.equal(own.redactText('"hunt5"'), REDACTED);
  });

  it('redacts numeric secrets of a config where they are the whole value', () => {
    const own = new SecretRedactor();
    own.addSecretsOf({ passcode: 4711, credentials: { pin: 12345678 }, token: 1, password: 443 });
    const value = { label: 4711, list: [12345678], text: '4711', port: 443, on: 1, other: 47110 };
    assert.deepEqual(own.redactJson(value), {
      ...value,
      label: REDACTED,
      list: [REDACTED],
      text: REDACTED,
    });
    assert.equal(own.redactText('4711'), REDACTED);
    assert.equal(own.redactText('4711 lines'), '4711 lines');
    assert.deepEqual(JSON.parse(own.redactDocument('{"label":4711}')), { label: REDACTED });
  });

  it('recognizes the secrets of machines and API keys by their randomness', () => {
    const random = seededRandom(7);
    let missed = 0;
    for (let count = 0; count < 2_000; count += 1) {
      const bytes = Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
      const secret = Buffer.from(bytes).toString('base64url');
      if (redactor.redactText(`part signed in, ${secret}, ok`).includes(secret)) missed += 1;
    }
    // A few look like names. The key of the connection is always known.
    assert.ok(missed <= 4, `${missed} of 2,000`);
  });

  it('redacts documents, and keeps the text of those without secrets', () => {
    const plain = '{\n  "port": 12345678901234567890\n}';
    assert.equal(redactor.redactDocument(plain), plain);
    const document = redactor.redactDocument('{"attributes": {"password": "canary"}}');
    assert.deepEqual(JSON.parse(document), { attributes: { password: REDACTED } });
    assert.equal(redactor.redactDocument('{"password": "canary'), `{"password": "${REDACTED}"`);
  });
});
