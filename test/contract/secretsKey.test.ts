import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { RunningService } from '../support/runningService';
import { ServiceProgram } from '../support/serviceProgram';

const TIMEOUT_MS = 300_000;

describe('the secrets key', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;

  before(async () => {
    program = await ServiceProgram.build();
  });
  afterEach(() => program.end());
  after(() => program[Symbol.asyncDispose]());

  const serve = (...options: string[]): Promise<RunningService> =>
    RunningService.of(program.serve(...options));

  async function addMachine({ transport, key }: RunningService) {
    const app = createClient(AppService, transport);
    const { organizationId } = key;
    const { location } = await app.createLocation({ organizationId, name: 'Hall' });
    const locationSecret = location?.auth?.secrets[0]?.secret ?? '';
    const { id: robotId } = await app.newRobot({ name: 'rover', location: location?.id ?? '' });
    const { parts } = await app.getRobotParts({ robotId });
    const partId = parts[0]?.id ?? '';
    return { partId, partSecret: parts[0]?.secrets[0]?.secret ?? '', locationSecret };
  }

  /** Signs the machine in with each of its two secrets. */
  async function signInMachine(
    { key: { url } }: RunningService,
    machine: Awaited<ReturnType<typeof addMachine>>,
  ): Promise<string[]> {
    const auth = createClient(
      AuthService,
      createConnectTransport({ baseUrl: url, httpVersion: '1.1' }),
    );
    const tokens: string[] = [];
    for (const [type, payload] of [
      ['robot-secret', machine.partSecret],
      ['robot-location-secret', machine.locationSecret],
    ] as const) {
      const credentials = { type, payload };
      tokens.push((await auth.authenticate({ entity: machine.partId, credentials })).accessToken);
    }
    return tokens;
  }

  const readTables = (data: string): string => {
    const database = new DatabaseSync(join(data, 'fleet.db'));
    const rows = database.prepare('select * from secrets').all();
    const settings = database.prepare('select * from service_settings').all();
    database.close();
    return JSON.stringify([rows, settings]);
  };

  it('is created at the first start, and rotated while the service is stopped', async () => {
    const data = program.path();
    const path = join(data, 'secrets.key');
    const first = await serve('--data', data);
    const machine = await addMachine(first);
    const tokens = await signInMachine(first, machine);
    assert.ok(!readTables(data).includes(machine.partSecret));
    assert.ok(!readTables(data).includes(machine.locationSecret));
    const key = readFileSync(path, 'utf8');

    const busy = await program.run('rotate-secrets-key', '--data', data).ended;
    assert.match(busy.stderr, /is in use by process/);
    await first.stop();
    const { stderr } = await first.run.ended;
    assert.ok(!stderr.includes(key.trim()) && !stderr.includes(machine.partSecret));

    const rotated = await program.run('rotate-secrets-key', '--data', data).ended;
    assert.equal(rotated.exitCode, 0, rotated.stderr);
    const newKey = readFileSync(path, 'utf8');
    assert.notEqual(newKey, key);
    assert.equal(newKey.trim().split('\n').length, 1);
    assert.ok(!(rotated.stdout + rotated.stderr).includes(newKey.trim()));
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);

    const second = await serve('--data', data);
    // Tokens are derived from the secrets, which didn't change.
    assert.deepEqual(await signInMachine(second, machine), tokens);
    await second.stop();

    writeFileSync(path, key);
    const wrong = await program.serve('--data', data).ended;
    assert.equal(wrong.exitCode, 1);
    assert.match(
      wrong.stderr,
      /encrypted with the key \w{16}, and the file \S+ has the key \w{16}/,
    );
    rmSync(path);
    const missing = await program.run('rotate-secrets-key', '--data', data).ended;
    assert.match(missing.stderr, /doesn't exist: put a copy of the key there/);
    assert.ok(!existsSync(path), 'a new key was made although secrets need the old one');

    const replace = ['rotate-secrets-key', '--data', data, '--replace-secrets'];
    assert.equal((await program.run(...replace).ended).exitCode, 0);
    const third = await serve('--data', data);
    await assert.rejects(signInMachine(third, machine), /wrong robot-secret/);
    const { part } = await createClient(AppService, third.transport).getRobotPart({
      id: machine.partId,
    });
    const partSecret = part?.secrets[0]?.secret ?? '';
    assert.match(partSecret, /^[\w-]{43}$/);
    assert.ok(!readTables(data).includes(partSecret));
    await third.stop();
    assert.match((await program.run(...replace).ended).stderr, /only when their key is lost/);
  });

  it('is read from another file, and from a program', async () => {
    const data = program.path();
    const file = `${data}.key`;
    const first = await serve('--data', data, '--secrets-key-file', file);
    const machine = await addMachine(first);
    assert.ok(existsSync(file) && !existsSync(join(data, 'secrets.key')));
    await first.stop();
    const print = `${data}-print`;
    const source = `require('node:fs').createReadStream('${file}').pipe(process.stdout)`;
    writeFileSync(print, `#!${process.execPath}\n${source}\n`, { mode: 0o700 });
    const second = await serve('--data', data, '--secrets-key-command', print);
    await signInMachine(second, machine);
    await second.stop();
    const { exitCode, stderr } = await program.run(
      'rotate-secrets-key',
      '--data',
      data,
      '--secrets-key-command',
      print,
    ).ended;
    assert.equal(exitCode, 1);
    assert.match(stderr, /this command only rotates keys in files/);
  });
});
