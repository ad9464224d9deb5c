import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fromRoot } from '../../scripts/support/paths';
import { fillFleet, readFleet } from '../support/capturedFleet';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { RunningService } from '../support/runningService';
import { seededRandom } from '../support/seededRandom';
import { ServiceProgram } from '../support/serviceProgram';
import { CaptureLedger } from './kills/faults/captureLedger';
import { checkFiles } from './kills/faults/checkFiles';
import { mixCalls } from './kills/faults/captureMix';
import { newPart } from './kills/faults/newPart';

const TIMEOUT_MS = 300_000;
const SHA256 = /^[0-9a-f]{62}$/;

/** Returns the commands for backups in docs/hosting.md, in order. */
function documentedCommands(): string[] {
  const page = readFileSync(fromRoot('docs', 'hosting.md'), 'utf8');
  const [, section = ''] = page.split('## Back up and restore');
  const [text = ''] = section.split(/^##/m);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  );
}

describe('service backup and restore', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;
  let postgres: TestPostgres;

  before(async () => {
    program = await ServiceProgram.build();
    postgres = await postgresForTests();
  });
  afterEach(() => program.end());
  after(async () => {
    await program[Symbol.asyncDispose]();
    await postgres.stop();
  });

  const serve = (...options: string[]): Promise<RunningService> =>
    RunningService.of(program.serve(...options));

  /** Runs a command that must succeed, and returns its output. */
  async function succeed(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await program.run(...args).ended;
    assert.equal(exitCode, 0, stderr);
    return stdout;
  }

  /** Creates a backup that includes the secrets key. */
  const backUp = (data: string, target: string, ...options: string[]): Promise<string> =>
    succeed('backup', '--data', data, '--to', target, '--include-secrets-key', ...options);

  /** Runs a command that must fail, and returns the reason. */
  async function fail(...args: string[]): Promise<string> {
    const { exitCode, stderr } = await program.run(...args).ended;
    assert.equal(exitCode, 1, stderr);
    return stderr;
  }

  const contentFiles = (directory: string): string[] =>
    readdirSync(join(directory, 'blobs'), { recursive: true, encoding: 'utf8' })
      .filter((path) => SHA256.test(basename(path)))
      .map((path) => join(directory, 'blobs', path));

  it('restore every reading, image, file, and secret with the documented commands', async () => {
    const root = dirname(program.path());
    const toPath = (word: string): string =>
      word.replace(/^\/(?:var\/lib|(backups)|(safe))\//, `${root}/$1$2`);
    const source = await serve('--data', toPath('/var/lib/fleetwright'));
    await fillFleet(source, { readings: 120, images: 7, files: 3 });
    const before = await readFleet(source);
    assert.equal(before.contents.length, 10);

    const commands = documentedCommands();
    assert.ok(commands.length >= 3, 'docs/hosting.md gives no commands');
    let restored: RunningService | undefined;
    for (const command of commands) {
      const [node, script = '', ...args] = command.split(' ').map(toPath);
      if (node === 'cp') {
        copyFileSync(script, args[0] ?? '');
        continue;
      }
      assert.deepEqual([node, script], ['node', 'dist/service.js'], command);
      if (args[0] === 'serve') {
        restored = await serve(...args.slice(1));
      } else {
        await succeed(...args);
      }
    }
    assert.ok(restored, 'docs/hosting.md starts no restored service');
    const after = await readFleet(restored);
    assert.deepEqual(after, before);
    assert.deepEqual(after.queried, [{ count: 120 }]);
    await source.stop();
    await restored.stop();
  });

  it('are consistent during uploads and deletions', async () => {
    const data = program.path();
    const service = await serve('--data', data);
    const random = seededRandom(7);
    const ledger = new CaptureLedger();
    const mixing = mixCalls(service, await newPart(service), ledger, random);
    const backups = ['one', 'two', 'three'].map((name) => join(dirname(data), name));
    for (const target of backups) await backUp(data, target);
    await service.kill();
    await mixing;
    for (const target of backups) {
      const restored = `${target}-restored`;
      await succeed('restore', '--from', target, '--data', restored);
      await (await serve('--data', restored)).stop();
      checkFiles(restored);
    }
    assert.ok(contentFiles(`${backups[2] ?? ''}-restored`).length > 0, 'nothing was uploaded');
  });

  it('copy a fleet to PostgreSQL and back, and between databases', async () => {
    const [data, there, back] = [program.path(), program.path(), program.path()];
    const [from, to] = [await postgres.url(), await postgres.url()];
    const source = await serve('--data', data, '--database-url', from);
    await fillFleet(source, { readings: 30, images: 2, files: 1 });
    const before = await readFleet(source);
    const backup = `${data}-backup`;
    await backUp(data, backup, '--database-url', from);
    await source.stop();

    const restore = ['restore', '--from', backup];
    assert.match(
      await fail(...restore, '--data', there, '--database-url', from),
      /already contains a fleet/,
    );
    assert.deepEqual(readdirSync(there), ['service.lock']);
    await succeed(...restore, '--data', there, '--database-url', to);
    await succeed(...restore, '--data', back);
    for (const options of [
      ['--data', there, '--database-url', to],
      ['--data', back],
    ]) {
      const restored = await serve(...options);
      assert.deepEqual(await readFleet(restored), before);
      await fillFleet(restored, { readings: 5, images: 1, files: 0 });
      await restored.stop();
    }
  });

  it('report contents that the service has lost, and restore everything else', async () => {
    const data = program.path();
    const service = await serve('--data', data);
    await fillFleet(service, { readings: 1, images: 4, files: 0 });
    await service.stop();
    const [lost = '', damaged = ''] = contentFiles(data);
    rmSync(lost);
    appendFileSync(damaged, 'x');
    const target = `${data}-backup`;
    assert.match(
      await fail('backup', '--data', data, '--to', target, '--include-secrets-key'),
      /has lost or damaged 2 contents/,
    );
    const restored = `${data}-restored`;
    const output = await succeed('restore', '--from', target, '--data', restored);
    assert.match(output, /doesn't include 2 contents/);

    const again = program.serve('--data', restored);
    await again.ready;
    again.child.kill();
    assert.match((await again.ended).stderr, /files are missing or damaged.*"missing":2/);
  });

  it('exclude the secrets key from the backup unless the caller includes it', async () => {
    const data = program.path();
    const service = await serve('--data', data);
    const key = readFileSync(join(data, 'secrets.key'), 'utf8');
    const [target, complete] = [`${data}-backup`, `${data}-complete`];
    const printed = await succeed('backup', '--data', data, '--to', target);
    assert.match(printed, /encrypted with the key [0-9a-f]{16}, which is not in it: keep a copy/);
    assert.ok(!existsSync(join(target, 'secrets.key')));
    await backUp(data, complete);
    await service.stop();

    const [restored, other] = [`${data}-restored`, `${data}-other`];
    const output = await succeed('restore', '--from', target, '--data', restored);
    assert.match(
      output,
      /next: .*copy the key file of the original service to the file .*secrets\.key/,
    );
    assert.match(
      await fail('serve', '--data', restored),
      /encrypted with the key [0-9a-f]{16}, and the file \S+ doesn't exist: put a copy/,
    );
    writeFileSync(join(restored, 'secrets.key'), key);
    await (await serve('--data', restored)).stop();

    await succeed('restore', '--from', complete, '--data', other);
    assert.equal(readFileSync(join(other, 'secrets.key'), 'utf8'), key);
    const wrong = join(dirname(data), 'wrong.key');
    writeFileSync(wrong, `${Buffer.alloc(32, 5).toString('base64')}\n`, { mode: 0o600 });
    assert.match(
      await fail(
        'restore',
        '--from',
        target,
        '--data',
        `${data}-third`,
        '--secrets-key-file',
        wrong,
      ),
      /has another key/,
    );
    assert.deepEqual(readdirSync(`${data}-third`), ['service.lock']);
  });

  it("reject existing targets, damaged backups, and directories in use, and don't change them", async () => {
    const data = program.path();
    const service = await serve('--data', data);
    await fillFleet(service, { readings: 1, images: 2, files: 0 });
    const target = `${data}-backup`;
    await succeed('backup', '--data', data, '--to', target);
    assert.match(await fail('backup', '--data', data, '--to', target), /already exists/);
    const empty = `${data}-empty`;
    assert.match(
      await fail('backup', '--data', empty, '--to', `${empty}-b`),
      /doesn't contain fleet\.db/,
    );
    assert.ok(!existsSync(`${empty}-b`));
    assert.match(await fail('restore', '--from', target, '--data', data), /is not empty/);
    assert.match(await fail('restore', '--from', data, '--data', empty), /not a complete backup/);

    const [content = ''] = contentFiles(target);
    const bytes = readFileSync(content);
    writeFileSync(content, Buffer.concat([bytes, Buffer.from('x')]));
    assert.match(await fail('restore', '--from', target, '--data', empty), /has changed since/);
    assert.deepEqual(readdirSync(empty), ['service.lock']);
    rmSync(content);
    assert.match(await fail('restore', '--from', target, '--data', empty), /is missing/);
    writeFileSync(content, bytes);
    appendFileSync(join(target, 'SHA256SUMS'), '\n');
    assert.match(await fail('restore', '--from', target, '--data', empty), /SHA256SUMS/);
    await service.stop();
  });

  it('reject directories of an interrupted restore and data of newer versions', async () => {
    const data = program.path();
    await (await serve('--data', data)).stop();
    const backup = `${data}-complete`;
    await backUp(data, backup);
    writeFileSync(join(data, 'restore.unfinished'), '');
    assert.match(await fail('serve', '--data', data), /restore .* was interrupted/);
    assert.match(
      await fail('restore', '--from', backup, '--data', data),
      /restore .* was interrupted: delete the content of the directory, and restore again/,
    );
    rmSync(join(data, 'restore.unfinished'));

    const database = new DatabaseSync(join(data, 'fleet.db'));
    database.exec(
      `insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00.000Z');
       insert into service_settings (name, value) values ('oldest_schema', '9999-future')`,
    );
    database.close();
    const target = `${data}-backup`;
    assert.match(await fail('backup', '--data', data, '--to', target), /newer version/);
    assert.deepEqual(
      readdirSync(dirname(data)).filter((name) => name.includes('-backup')),
      [],
    );
  });
});
