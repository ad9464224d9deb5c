import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fillFleet, readFleet } from '../support/capturedFleet';
import { RunningService } from '../support/runningService';
import { ServiceProgram, type ServiceRun } from '../support/serviceProgram';
import { waitUntil } from '../support/waitUntil';

const TIMEOUT_MS = 300_000;
const CONTENT_NAME = /^[0-9a-f]{62}$/;

describe('a killed command', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;
  let data: string;
  let fleet: unknown;

  before(async () => {
    program = await ServiceProgram.build();
    data = program.path();
    const service = await serve(data);
    await fillFleet(service, { readings: 20, images: 10, files: 2 });
    fleet = await readFleet(service);
    await service.stop();
  });
  afterEach(() => program.end());
  after(() => program[Symbol.asyncDispose]());

  const serve = (directory: string): Promise<RunningService> =>
    RunningService.of(program.serve('--data', directory));

  async function succeed(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await program.run(...args).ended;
    assert.equal(exitCode, 0, stderr);
    return stdout;
  }

  async function fail(...args: string[]): Promise<string> {
    const { exitCode, stderr } = await program.run(...args).ended;
    assert.equal(exitCode, 1, stderr);
    return stderr;
  }

  const findLastContent = (directory: string): string => {
    const names = readdirSync(join(directory, 'blobs'), { recursive: true, encoding: 'utf8' });
    const [last = ''] = names
      .filter((name) => CONTENT_NAME.test(basename(name)))
      .sort()
      .slice(-1);
    return join(directory, 'blobs', last);
  };

  /** Kills a command while it reads content whose bytes don't arrive. */
  async function killWhileReading(
    file: string,
    start: () => ServiceRun,
    inspect: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const bytes = readFileSync(file);
    rmSync(file);
    execFileSync('mkfifo', [file]);
    const run = start();
    // Opening the pipe for writing waits until the command opens it for reading.
    const opening = open(file, 'w');
    const ended = run.ended.then(({ stderr }) => stderr);
    const reading = await Promise.race([opening, ended]);
    if (typeof reading === 'string') {
      await using _reader = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
      await (await opening).close();
      assert.fail(`it ended before: ${reading}`);
    }
    await inspect();
    run.child.kill('SIGKILL');
    await ended;
    await reading.close();
    rmSync(file);
    writeFileSync(file, bytes);
  }

  it('leaves a partial backup folder that the next backup names', async () => {
    const target = program.path();
    const names = (): string[] => readdirSync(dirname(target));
    await killWhileReading(findLastContent(data), () =>
      program.run('backup', '--data', data, '--to', target),
    );
    const [partial = '', ...others] = names();
    assert.match(partial, /^data\.[0-9a-f]{8}\.partial$/);
    assert.deepEqual(others, []);
    assert.ok(
      (await succeed('backup', '--data', data, '--to', target)).includes(
        `${join(dirname(target), partial)} is from a backup that was interrupted or is still running`,
      ),
    );
    assert.deepEqual(names(), ['data', partial]);
    const restored = program.path();
    await succeed('restore', '--from', target, '--data', restored);
  });

  it('leaves a partial restore that is neither served nor used as a target', async () => {
    const [backup, restored] = [program.path(), program.path()];
    await succeed('backup', '--data', data, '--to', backup, '--include-secrets-key');
    const restore = ['restore', '--from', backup, '--data', restored];
    await killWhileReading(
      findLastContent(backup),
      () => program.run(...restore),
      async () => {
        assert.match(await fail(...restore), /is in use by another process/);
      },
    );
    const reason =
      /restore into \S+ was interrupted: delete the content of the directory, and restore/;
    assert.match(await fail('serve', '--data', restored), reason);
    assert.match(await fail(...restore), reason);
    rmSync(restored, { recursive: true });
    await succeed(...restore);
    const service = await serve(restored);
    assert.deepEqual(await readFleet(service), fleet);
    await service.stop();
  });

  it('leaves a fleet that starts and can rotate its key again after a key rotation', async () => {
    const [backup, restored] = [program.path(), program.path()];
    await succeed('backup', '--data', data, '--to', backup, '--include-secrets-key');
    await succeed('restore', '--from', backup, '--data', restored);
    const path = join(restored, 'secrets.key');
    const key = readFileSync(path, 'utf8');
    const rotation = program.run('rotate-secrets-key', '--data', restored);
    // The key changes during the rotation, no later than at its end.
    await waitUntil(() => readFileSync(path, 'utf8') !== key);
    rotation.child.kill('SIGKILL');
    await rotation.ended;
    const service = await serve(restored);
    assert.deepEqual(await readFleet(service), fleet);
    await service.stop();
    await succeed('rotate-secrets-key', '--data', restored);
    assert.equal(readFileSync(path, 'utf8').trim().split('\n').length, 1);
  });
});
