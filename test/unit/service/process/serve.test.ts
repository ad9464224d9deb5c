import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { openSocket } from '../../../support/rawHttp';
import { acquireLease, signIn, withApp } from '../../../support/serviceClients';
import { readJson, ServiceProgram } from '../../../support/serviceProgram';
import { waitUntil } from '../../../support/waitUntil';

interface Credentials {
  url: string;
  apiKeyId: string;
  apiKey: string;
  organizationId: string;
}

/** Time limit; each test starts more than one process, possibly on a busy computer. */
const PROCESSES_LIMIT_MS = 120_000;

describe('service serve', function () {
  this.timeout(PROCESSES_LIMIT_MS);
  let program: ServiceProgram;

  before(async () => {
    program = await ServiceProgram.build();
  });
  afterEach(() => program.end());
  after(() => program[Symbol.asyncDispose]());

  /** Starts a service; returns its credentials and a function to stop it. */
  async function start(...options: string[]) {
    const run = program.serve(...options);
    const ready = await run.ready;
    assert.ok(ready, 'the service did not start');
    const credentials = readJson(ready.credentialsFile) as Credentials;
    return { ...run, ...ready, credentials };
  }

  it('prints one line when it is ready, and creates files only for their owner', async () => {
    const data = program.path();
    const { url, credentialsFile, credentials, child, ended } = await start('--data', data);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(credentials.url, url);
    await signIn(credentials);
    assert.equal(statSync(data).mode & 0o777, 0o700);
    for (const file of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
      const status = statSync(join(data, file));
      assert.equal(status.mode & 0o777, status.isDirectory() ? 0o700 : 0o600, file);
    }

    child.kill('SIGTERM');
    const { exitCode, stdout, stderr } = await ended;
    assert.equal(exitCode, 0);
    assert.equal(stdout, `${JSON.stringify({ url, credentialsFile })}\n`);
    const lines = stderr.trimEnd().split('\n');
    assert.ok(
      lines.every((line) => typeof (JSON.parse(line) as { level: string }).level === 'string'),
    );
    assert.ok(!stderr.includes(credentials.apiKey));
    assert.ok(!existsSync(join(data, 'service.json')));
    await assert.rejects(signIn(credentials));
  });

  it('saves a rotated owner key to its file immediately, and preserves it over restarts', async () => {
    const data = program.path();
    const first = await start('--data', data);
    const { apiKeyId: id } = first.credentials;
    const { key } = await withApp(first.credentials, (app) => app.rotateKey({ id }));
    const rotated = { ...first.credentials, apiKey: key };
    assert.deepEqual(readJson(first.credentialsFile), rotated);
    await signIn(rotated);
    first.child.kill();
    assert.ok(!(await first.ended).stderr.includes(key));

    const second = await start('--data', data);
    assert.deepEqual({ ...second.credentials, url: '' }, { ...rotated, url: '' });
  });

  it('creates a new owner key after the one in its file was deleted', async () => {
    const data = program.path();
    const first = await start('--data', data);
    const { apiKeyId: id } = first.credentials;
    await withApp(first.credentials, (app) => app.deleteKey({ id }));
    await assert.rejects(signIn(first.credentials));
    first.child.kill();
    await first.ended;

    const second = await start('--data', data);
    assert.notEqual(second.credentials.apiKey, first.credentials.apiKey);
    await signIn(second.credentials);
  });

  it('preserves the owner key over restarts, and creates a new one if its file is lost', async () => {
    const data = program.path();
    const first = await start('--data', data);
    first.child.kill('SIGINT');
    assert.equal((await first.ended).exitCode, 0);

    const second = await start('--data', data);
    assert.deepEqual({ ...second.credentials, url: '' }, { ...first.credentials, url: '' });
    assert.equal(second.credentials.url, second.url);
    await signIn(second.credentials);
    second.child.kill();
    await second.ended;

    rmSync(second.credentialsFile);
    const third = await start('--data', data);
    assert.equal(third.credentials.organizationId, first.credentials.organizationId);
    await signIn(third.credentials);
    await assert.rejects(
      signIn({ ...first.credentials, url: third.url }),
      (error) => error instanceof ConnectError && error.code === Code.PermissionDenied,
    );
  });

  it('stores nothing with --ephemeral', async () => {
    const { child, credentialsFile, credentials, ended } = await start('--ephemeral');
    await signIn(credentials);
    child.kill();
    assert.equal((await ended).exitCode, 0);
    assert.ok(!existsSync(dirname(credentialsFile)));
  });

  it('recovers a data directory whose service was killed', async () => {
    const data = program.path();
    const killed = await start('--data', data);
    killed.child.kill('SIGKILL');
    await killed.ended;
    // Simulate the worst possible leftover: the ID of a running process that isn't the service.
    const left = readJson(join(data, 'service.json')) as Record<string, unknown>;
    writeFileSync(join(data, 'service.json'), JSON.stringify({ ...left, pid: process.pid }));

    const { credentials } = await start('--data', data);
    await signIn(credentials);
    assert.equal(credentials.apiKey, killed.credentials.apiKey);
  });

  it('claims a data directory for exactly one of several concurrent starts', async () => {
    const data = program.path();
    const runs = [1, 2, 3, 4].map(() => program.serve('--data', data));
    const started = await Promise.all(runs.map(async (run) => ({ run, ready: await run.ready })));
    const winners = started.filter(({ ready }) => ready !== undefined);
    assert.equal(winners.length, 1);
    const [winner] = winners;
    for (const { run } of started.filter((each) => each !== winner)) {
      const { exitCode, stderr } = await run.ended;
      assert.equal(exitCode, 1);
      assert.equal(
        stderr,
        `service: the data directory ${data} is in use by process ${winner?.run.child.pid} at ` +
          `${winner?.ready?.url}; use that service, stop it, or use another directory with ` +
          '--data DIR\n',
      );
    }
  });

  it('shares one service among several concurrent starts with --reuse', async () => {
    const data = program.path();
    const runs = [1, 2, 3].map(() => program.serve('--data', data, '--reuse'));
    const ready = await Promise.all(runs.map((run) => run.ready));
    assert.equal(new Set(ready.map((line) => JSON.stringify(line))).size, 1);
    const service = readJson(join(data, 'service.json')) as { pid: number };
    for (const { child, ended } of runs.filter((run) => run.child.pid !== service.pid)) {
      assert.equal((await ended).exitCode, 0);
      assert.ok(child.pid);
    }
    await signIn(readJson(ready[0]?.credentialsFile ?? '') as Credentials);
  });

  it('starts on a directory as soon as its service has stopped', async () => {
    const data = program.path();
    const first = await start('--data', data);
    // The lease delays the service when it stops.
    const call = await acquireLease(first.credentials);
    first.child.kill();
    const second = await start('--data', data, '--reuse');
    assert.notEqual(second.child.pid, first.child.pid);
    assert.equal((await first.ended).exitCode, 0);
    assert.equal(second.credentials.url, second.url);
    await call.ended;
  });

  it('is not returned by --reuse while it serves its last calls before it stops', async () => {
    const data = program.path();
    const first = await start('--data', data, '--shutdown-delay', '600');
    first.child.kill();
    await waitUntil(async () => (await fetch(`${first.url}/readyz`)).status === 503);
    const { pid, url } = readJson(join(data, 'service.json')) as { pid: number; url?: string };
    assert.deepEqual([pid, url], [first.child.pid, undefined]);
    const starting = start('--data', data, '--reuse');
    // The second signal ends the delay.
    first.child.kill();
    await first.ended;
    const second = await starting;
    assert.notEqual(second.child.pid, first.child.pid);
    assert.equal((await fetch(`${second.url}/readyz`)).status, 200);
  });

  it('stops by itself when no lease is taken, or the last one is released', async () => {
    const never = await start('--ephemeral', '--until-unused', '0.1');
    assert.equal((await never.ended).exitCode, 0);

    // A busy computer needs time to take the lease.
    const used = await start('--ephemeral', '--until-unused', '3');
    const lease = await acquireLease(used.credentials);
    assert.equal(used.child.exitCode, null);
    lease.release();
    assert.equal((await used.ended).exitCode, 0);
  });

  it('stops immediately at the second signal', async () => {
    const { child, ended, credentials } = await start('--ephemeral', '--log-level', 'error');
    // A request whose body is still arriving delays the stop.
    const upload = await openSocket(credentials.url);
    upload.write(
      'POST /proto.rpc.v1.AuthService/Authenticate HTTP/1.1\r\nhost: localhost\r\n' +
        'content-type: application/json\r\ncontent-length: 2\r\n\r\n{',
    );
    child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(child.exitCode, null);
    child.kill('SIGTERM');
    assert.equal((await ended).exitCode, 1);
    upload.destroy();
  });

  it('outlives the program that started it and read its output', async () => {
    const { child, credentials } = await start('--ephemeral', '--log-level', 'trace');
    child.stdout?.destroy();
    child.stderr?.destroy();
    await signIn(credentials);
    await signIn(credentials);
    assert.equal(child.exitCode, null);
  });

  describe('explains in one line what to do', () => {
    async function failure(
      ...options: string[]
    ): Promise<{ exitCode: number | null; line: string }> {
      const { exitCode, stdout, stderr } = await program.run(...options).ended;
      assert.equal(stdout, '');
      const lines = stderr.trimEnd().split('\n');
      assert.equal(lines.length, 1, stderr);
      return { exitCode, line: lines[0] ?? '' };
    }

    it('when the port is used', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      assert.deepEqual(await failure('serve', '--ephemeral', '--port', String(port)), {
        exitCode: 1,
        line:
          `service: port ${port} of 127.0.0.1 is in use by another program; stop it, or use ` +
          'another port with --port (0 takes any free one)',
      });
      other.close();
    });

    it('when the data directory cannot be created or written', async () => {
      const file = program.path();
      writeFileSync(file, '');
      for (const data of [file, join(file, 'below')]) {
        const { exitCode, line } = await failure('serve', '--data', data);
        assert.equal(exitCode, 1);
        assert.match(
          line,
          /can't write to the data directory .*use another directory with --data DIR/,
        );
      }
      const data = program.path();
      mkdirSync(join(data, 'service.lock'), { recursive: true });
      const { line } = await failure('serve', '--data', data);
      assert.match(
        line,
        /can't write to the data directory .*use another directory with --data DIR/,
      );
    });

    it('when the database is invalid', async () => {
      const data = program.path();
      mkdirSync(data);
      writeFileSync(join(data, 'fleet.db'), 'no database '.repeat(1000));
      const { exitCode, line } = await failure('serve', '--data', data);
      assert.equal(exitCode, 1);
      assert.match(
        line,
        /is damaged \(file is not a database\): .*restore the latest backup into a new directory/,
      );
    });

    it('when the demo data is missing', async () => {
      const media = join(program.folder, 'media');
      renameSync(media, `${media}-elsewhere`);
      const { exitCode, line } = await failure('serve', '--ephemeral', '--demo');
      renameSync(`${media}-elsewhere`, media);
      assert.equal(exitCode, 1);
      assert.match(line, /^service: the demo data is missing: copy media\/demo to \S+$/);
    });

    it('when the certificate is invalid', async () => {
      const file = program.path();
      writeFileSync(file, 'no certificate');
      const { exitCode, line } = await failure(
        'serve',
        '--ephemeral',
        '--tls-cert',
        file,
        '--tls-key',
        file,
      );
      assert.equal(exitCode, 1);
      assert.match(line, /the certificate .* can't be used .*; use PEM files/);
    });

    it('when the database cannot be reached, without printing its password', async () => {
      const { exitCode, line } = await failure(
        'serve',
        '--data',
        program.path(),
        '--database-url',
        'postgres://user:canary@127.0.0.1:1/fleet',
      );
      assert.equal(exitCode, 1);
      assert.match(line, /the store at postgres:\/\/127\.0\.0\.1:1\/fleet can't be opened/);
      assert.doesNotMatch(line, /canary/);
    });

    it('when the command line is invalid', async () => {
      const { exitCode, line } = await failure('serve', '--prot', '80');
      assert.equal(exitCode, 2);
      assert.equal(line, "service: unknown option '--prot'. Run with --help for usage.");
    });
  });
});
