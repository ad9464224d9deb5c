import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commandSecretsKeys,
  environmentSecretsKeys,
  SecretsKeyError,
  SecretsKeyFile,
} from '../../../../src/service/secrets/secretsKeySource';
import { RecordingLogger } from '../../../support/recordingLogger';

const KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER = Buffer.alloc(32, 9).toString('base64url');

describe('sources of the secrets key', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const rejects = (reading: Promise<unknown>, message: RegExp, absent: string): Promise<void> =>
    assert.rejects(reading, (error) => {
      assert.ok(error instanceof SecretsKeyError);
      assert.match(error.message, message);
      assert.ok(!error.message.includes(absent));
      return true;
    });

  it('in files create a key only for their owner, and never over another one', async () => {
    const path = join(folder, 'secrets.key');
    const logger = new RecordingLogger();
    const file = new SecretsKeyFile(path, logger);
    assert.equal(await file.read(), undefined);
    const created = await file.create();
    assert.deepEqual(await file.read(), created);
    await assert.rejects(file.create(), SecretsKeyError);
    assert.deepEqual(await file.read(), created);
    assert.deepEqual(logger.lines, []);
    if (process.platform !== 'win32') {
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      await chmod(path, 0o644);
      await file.read();
      assert.equal(logger.lines.length, 1);
    }
  });

  it('in files contain several keys, the first of which encrypts', async () => {
    const path = join(folder, 'secrets.key');
    const file = new SecretsKeyFile(path, new RecordingLogger());
    await writeFile(path, `${KEY}\n${OTHER}\n`, { mode: 0o600 });
    const keys = await file.read();
    assert.deepEqual(keys, [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]);
    await file.write([Buffer.alloc(32, 9)]);
    assert.equal(await readFile(path, 'utf8'), `${Buffer.alloc(32, 9).toString('base64')}\n`);
    await writeFile(path, '');
    await rejects(file.read(), /is empty: put a copy of the key there, or delete the file/, KEY);
    await writeFile(path, 'not a key');
    await rejects(file.read(), /doesn't contain a secrets key/, 'not a key');
  });

  it('in the environment reject an invalid key without repeating it', async () => {
    assert.deepEqual(await environmentSecretsKeys(`${KEY},${OTHER}`).read(), [
      Buffer.alloc(32, 7),
      Buffer.alloc(32, 9),
    ]);
    for (const text of ['', 'short', `${KEY} short`, `${KEY}${KEY}`]) {
      await rejects(environmentSecretsKeys(text).read(), /openssl rand -base64 32/, KEY);
    }
  });

  it('in commands are the output of a program, without a shell', async () => {
    const program = join(folder, 'print-key');
    await writeFile(program, `#!${process.execPath}\nconsole.log('${KEY}')\n`, { mode: 0o700 });
    assert.deepEqual(await commandSecretsKeys(program).read(), [Buffer.alloc(32, 7)]);
    await writeFile(program, `#!${process.execPath}\nconsole.log('${KEY}'); process.exit(3)\n`);
    await rejects(commandSecretsKeys(program).read(), /didn't print the secrets key \(3\)/, KEY);
    await rejects(commandSecretsKeys(`${program} x`).read(), /ENOENT/, KEY);
  });
});
