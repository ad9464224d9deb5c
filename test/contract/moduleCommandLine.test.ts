import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { create } from 'tar';
import { parse } from 'yaml';
import { connectPublicClient } from '../publicClient/publicClient';
import { CommandLineProgram, type CommandLineRun } from '../support/commandLineProgram';
import { generatedInto } from '../support/generatedModule';
import { type OwnerKey, RunningService } from '../support/runningService';
import { withApp } from '../support/serviceClients';
import { ServiceProgram } from '../support/serviceProgram';
import { elfHead, elfMachines } from '../unit/core/modules/programHeads';

const TIMEOUT_MS = 120_000;
const PUBLIC = 2;
/** The header of a program for Linux on x86-64. */
const AMD64_HEAD = elfHead({ machine: elfMachines.amd64 });

/** Runs the command line as in CI: in a separate process, with a separate service. */
describe('the command line for modules', function () {
  this.timeout(TIMEOUT_MS);
  let program: CommandLineProgram;
  let serviceProgram: ServiceProgram;
  let service: RunningService;
  let key: OwnerKey;
  let folder: string;
  let moduleId: string;
  let count = 0;

  before(async () => {
    [program, serviceProgram] = await Promise.all([
      CommandLineProgram.build(),
      ServiceProgram.build(),
    ]);
    service = await RunningService.of(serviceProgram.serve('--ephemeral'));
    ({ key } = service);
  });

  after(async () => {
    await service.stop();
    await serviceProgram[Symbol.asyncDispose]();
    program.remove();
  });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-module-'));
    count += 1;
    const created = await withApp(key, (app) =>
      app.createModule({ organizationId: key.organizationId, name: `sonar-${count}` }),
    );
    ({ moduleId } = created);
    writeManifest({});
    mkdirSync(join(folder, 'build'));
    writeFileSync(join(folder, 'build', 'main.sh'), '#!/bin/sh\nexit 0\n');
    chmodSync(join(folder, 'build', 'main.sh'), 0o755);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function writeManifest(more: object): void {
    const manifest = {
      module_id: moduleId,
      visibility: 'private',
      url: '',
      description: 'Measures depth',
      models: [{ api: 'rdk:component:sensor', model: 'acme:sonar:deep' }],
      entrypoint: 'main.sh',
      build: { path: 'build' },
      ...more,
    };
    writeFileSync(join(folder, 'meta.json'), JSON.stringify(manifest, undefined, 2));
  }

  function run(...args: string[]): Promise<CommandLineRun> {
    return program.run(['module', ...args], { cwd: folder, environment: environment() });
  }

  function environment() {
    return {
      SVC_API_KEY_ID: key.apiKeyId,
      SVC_API_KEY: key.apiKey,
      FLEETWRIGHT_BASE_URL: key.url,
    };
  }

  function readModule() {
    return withApp(key, async (app) => (await app.getModule({ moduleId })).module);
  }

  it('uploads a build that public clients can read', async () => {
    const { exitCode, stdout, stderr } = await run(
      'upload',
      '--version',
      '1.0.0',
      '--platform',
      'any',
    );
    assert.equal(stderr.includes('error'), false, stderr);
    assert.equal(exitCode, 0);
    assert.ok(stdout.startsWith(`Uploaded ${moduleId} 1.0.0 for any (`), stdout);
    const { appClient } = await connectPublicClient(key);
    const module = await appClient.getModule(moduleId);
    assert.equal(module?.description, 'Measures depth');
    assert.equal(module.entrypoint, 'main.sh');
    assert.deepEqual(
      module.versions.map(({ version, files }) => [version, files.map((file) => file.platform)]),
      [['1.0.0', ['any']]],
    );
  });

  it('uploads in the workflow of a generated module, for the version of its tag', async () => {
    const [, namespace = '', name = ''] = /^(.*):(.*)$/.exec(moduleId) ?? [];
    generatedInto(folder, 'sensor', 'python', { namespace, moduleName: name });
    mkdirSync(join(folder, 'dist'));
    const { jobs } = parse(readFileSync(join(folder, '.github/workflows/module.yml'), 'utf8')) as {
      jobs: { upload: { steps: { run?: string }[] } };
    };
    await create({ file: join(folder, 'dist', 'archive.tar.gz'), gzip: true, cwd: folder }, [
      ...['meta.json', 'README.md', 'requirements.txt', 'run.sh', 'setup.sh', 'src'],
    ]);
    const runnerTemp = join(folder, 'temp');
    program.installInto(join(runnerTemp, 'extension', 'dist'));
    const { status, stderr } = spawnSync('sh', ['-c', jobs.upload.steps.at(-1)?.run ?? ''], {
      cwd: folder,
      env: {
        PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
        RUNNER_TEMP: runnerTemp,
        PLATFORM: 'linux/arm64',
        GITHUB_REF_NAME: 'v1.2.0',
        ...environment(),
      },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const versions = (await readModule())?.versions ?? [];
    assert.deepEqual(
      versions.map(({ version, files }) => [version, files.map((file) => file.platform)]),
      [['1.2.0', ['linux/arm64']]],
    );
  });

  it('prints all results as JSON for scripts', async () => {
    const uploaded = await run('upload', 'build', '--version=2.0.0', '--platform=any', '--json');
    const { ok, bytes, ...answer } = JSON.parse(uploaded.stdout) as Record<string, unknown>;
    assert.equal(ok, true);
    assert.equal(typeof bytes, 'number');
    assert.deepEqual(
      [answer.moduleId, answer.version, answer.platform],
      [moduleId, '2.0.0', 'any'],
    );
    const again = await run('upload', '--version', '2.0.0', '--platform', 'any', '--json');
    assert.equal(again.exitCode, 1);
    const failed = JSON.parse(again.stdout) as { error: { kind: string; message: string } };
    assert.match(failed.error.message, /2\.0\.0 already has an archive for any/);
  });

  it('never makes a public module private', async () => {
    await withApp(key, (app) =>
      app.updateModule({ moduleId, visibility: PUBLIC, entrypoint: 'main.sh' }),
    );
    const { exitCode, stderr } = await run('upload', '--version', '1.0.0', '--platform', 'any');
    assert.equal(exitCode, 0, stderr);
    assert.equal((await readModule())?.visibility, PUBLIC);
  });

  it('does not update the registry with --no-update', async () => {
    const { exitCode } = await run(
      'upload',
      '--version',
      '1.0.0',
      '--platform',
      'any',
      '--no-update',
    );
    assert.equal(exitCode, 0);
    const module = await readModule();
    assert.equal(module?.description, '');
    assert.equal(module.versions.length, 1);
  });

  it('rejects an invalid build unless the caller forces it', async () => {
    chmodSync(join(folder, 'build', 'main.sh'), 0o644);
    const arguments_ = ['upload', '--version', '1.0.0', '--platform', 'any'];
    const { exitCode, stderr } = await run(...arguments_);
    assert.equal(exitCode, 3);
    assert.match(stderr, /^error: entrypoint: main\.sh/m);
    assert.equal((await readModule())?.versions.length, 0);
    assert.equal((await run(...arguments_, '--force')).exitCode, 0);
    assert.equal((await readModule())?.versions.length, 1);
  });

  it('validates without a key and without calls', async () => {
    const alone = (...args: string[]) =>
      program.run(['module', 'validate', ...args], { cwd: folder });
    const fit = await alone();
    assert.deepEqual([fit.exitCode, fit.stderr], [0, '']);
    assert.match(fit.stdout, /build is valid|build for \S+ is valid/);
    symlinkSync('/etc/passwd', join(folder, 'build', 'passwords'));
    const invalid = await alone('--json');
    assert.equal(invalid.exitCode, 3);
    const { ok, findings } = JSON.parse(invalid.stdout) as {
      ok: boolean;
      findings: readonly { code: string }[];
    };
    assert.equal(ok, false);
    assert.deepEqual(
      findings.map(({ code }) => code),
      ['linkOutside'],
    );
  });

  it("rejects a program for another platform than the upload's", async () => {
    writeFileSync(join(folder, 'build', 'main.sh'), AMD64_HEAD);
    const other = await run('upload', '--version', '1.0.0', '--platform', 'linux/arm64', '--json');
    assert.equal(other.exitCode, 3);
    assert.match(other.stdout, /"code":"programPlatform"/);
    const own = await run('upload', '--version', '1.0.0', '--json');
    assert.equal(own.exitCode, 0, own.stderr);
    assert.match(own.stdout, /"platform":"linux\/amd64"/);
  });

  it("rejects a program for another platform than the manifest's unless the caller forces it", async () => {
    writeFileSync(join(folder, 'build', 'main.sh'), AMD64_HEAD);
    writeManifest({ build: { path: 'build', arch: ['linux/arm64'] } });
    const mismatched = await run('upload', '--version', '1.0.0', '--json');
    assert.equal(mismatched.exitCode, 3);
    assert.match(mismatched.stdout, /"code":"programPlatform"/);
    const named = ['upload', '--version', '1.0.0', '--platform', 'linux/amd64'];
    const unlisted = await run(...named, '--json');
    assert.equal(unlisted.exitCode, 3);
    assert.match(unlisted.stdout, /"code":"platformUnlisted"/);
    const allowed = await run(...named, '--force');
    assert.equal(allowed.exitCode, 0, allowed.stderr);
    const tag = await run(...named, '--tag', 'a b');
    assert.equal(tag.exitCode, 2);
    assert.match(tag.stderr, /--tag must be a tag without spaces/);
  });

  it("publishes nothing outside of the manifest's folder", async () => {
    writeManifest({ markdown_link: '../../../../etc/hostname' });
    const { exitCode, stderr } = await run('upload', '--version', '1.0.0', '--platform', 'any');
    assert.notEqual(exitCode, 0);
    assert.match(stderr, /error: /);
    assert.equal((await readModule())?.versions.length, 0);
  });

  it('builds for each platform, and exits with the code of the failed command', async () => {
    const environment = { FLEETWRIGHT_TEST: '1' };
    const build = (...args: string[]) =>
      program.run(['module', 'build', ...args], { cwd: folder, environment });
    const commands = { build: 'mkdir -p out && echo "$FLEETWRIGHT_TEST" > out/a', path: 'out' };
    writeManifest({ build: commands });
    const built = await build('--platform', 'linux/amd64', '--platform', 'linux/arm64');
    assert.equal(built.exitCode, 0, built.stderr);
    assert.equal(readFileSync(join(folder, 'out-linux-arm64', 'a'), 'utf8'), '1\n');
    assert.match(built.stdout, /Built for linux\/arm64: out-linux-arm64/);
    writeManifest({ build: { ...commands, build: 'exit 7' } });
    const failed = await build();
    assert.equal(failed.exitCode, 7);
    assert.match(failed.stderr, /The command failed with exit code 7\./);
  });

  it('prints only the result of a build on stdout with --json', async () => {
    const commands = { setup: 'echo setting up', build: 'echo building; echo x > a' };
    writeManifest({ build: { ...commands, path: 'a' } });
    for (const more of [[], ['--relative-to', '..']]) {
      const { exitCode, stdout, stderr } = await run('build', '--json', ...more);
      assert.equal(exitCode, 0, stderr);
      const { ok, builds } = JSON.parse(stdout) as { ok: boolean; builds: readonly object[] };
      assert.deepEqual([ok, builds.length], [true, 1]);
      assert.match(stderr, /^setting up$[\s\S]*^building$/m);
      assert.match((await run('build', ...more)).stdout, /^building$/m);
    }
    writeManifest({ build: { build: 'echo building; exit 7' } });
    const failed = await run('build', '--json');
    assert.deepEqual(
      [failed.exitCode, JSON.parse(failed.stdout)],
      [7, { ok: false, error: { kind: 'build', message: 'The command failed with exit code 7.' } }],
    );
  });

  it('hides the key that uploads from the build commands', async () => {
    writeManifest({ build: { build: 'env > found', path: 'found' } });
    const environment = {
      SVC_API_KEY_ID: key.apiKeyId,
      SVC_API_KEY: 'not-for-builds',
      FLEETWRIGHT_TEST: 'for builds',
    };
    const built = await program.run(['module', 'build'], { cwd: folder, environment });
    assert.equal(built.exitCode, 0, built.stderr);
    const found = readFileSync(join(folder, 'found'), 'utf8');
    assert.match(found, /^FLEETWRIGHT_TEST=for builds$/m);
    assert.equal(/SVC_API_KEY|not-for-builds/.test(found), false);
  });

  it('prints no control characters of a manifest', async () => {
    const steering = '\u001b]0;owned\u0007';
    writeManifest({ module_id: `${steering}:sonar`, build: { build: `: '${steering}'` } });
    const runs = [
      await run('validate', 'build'),
      await run('upload', 'build', '--version', '1.0.0', '--platform', 'any'),
      await program.run(['module', 'build'], { cwd: folder }),
    ];
    const printed = runs.map(({ stdout, stderr }) => stdout + stderr);
    for (const text of printed) assert.doesNotMatch(text, /\p{Cc}(?<!\n)/u);
    assert.match(printed.join(''), /owned/);
  });

  it('names the manifest that is missing or unreadable', async () => {
    rmSync(join(folder, 'meta.json'));
    const missing = await run('validate');
    assert.equal(missing.exitCode, 1);
    assert.match(missing.stderr, /There is no manifest at meta\.json/);
    writeFileSync(join(folder, 'meta.json'), '[');
    assert.equal((await run('validate')).exitCode, 3);
  });

  it('reports an invalid command line without calling the service', async () => {
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [['publish'], /unknown command "module publish"/],
      [['upload', '--platform', 'any'], /--version is missing/],
      [['upload', '--version', 'v1'], /semantic version such as 1\.2\.3, not "v1"/],
      [['upload', '--version', '1.0.0', '--platform', 'beos'], /--platform must be/],
      [['upload', '--version', '1.0.0'], /the platform of the build can't be detected/],
      [['upload', '--color'], /unknown option/],
      [['validate', 'a', 'b'], /too many arguments: b/],
    ];
    for (const [args, message] of wrong) {
      const { exitCode, stderr } = await run(...args);
      assert.equal(exitCode, 2, args.join(' '));
      assert.match(stderr, message);
    }
  });

  it('reports an invalid command line as JSON with --json', async () => {
    for (const args of [
      ['upload', '--json', '--platform', 'any'],
      ['upload', '--version', '1.0.0', '--json'],
      ['build', '--json', '--platform', 'beos'],
    ]) {
      const { exitCode, stdout } = await run(...args);
      assert.equal(exitCode, 2, args.join(' '));
      const { ok, error } = JSON.parse(stdout) as { ok: boolean; error: { kind: string } };
      assert.deepEqual([ok, error.kind], [false, 'usage']);
    }
  });

  it('reports what is missing to sign in, and prints no key', async () => {
    const args = ['module', 'upload', '--version', '1.0.0', '--platform', 'any'];
    const bare = await program.run(args, { cwd: folder });
    assert.equal(bare.exitCode, 2);
    assert.match(bare.stderr, /set SVC_API_KEY_ID and SVC_API_KEY/);
    const environment = {
      SVC_API_KEY_ID: key.apiKeyId,
      SVC_API_KEY: 'not-the-key',
      FLEETWRIGHT_BASE_URL: key.url,
    };
    const failed = await program.run(args, { cwd: folder, environment });
    assert.equal(failed.exitCode, 1);
    assert.equal(failed.stderr.includes('not-the-key'), false);
    const inAddress = await program.run([...args, '--url', 'https://id:not-the-key@fleet.test'], {
      cwd: folder,
      environment,
    });
    assert.equal(inAddress.exitCode, 2);
    assert.match(inAddress.stderr, /can't contain a user name or password/);
    assert.equal(inAddress.stderr.includes('not-the-key'), false);
  });

  it('sends no key unencrypted to another machine unless the caller allows it', async () => {
    const args = [
      'upload',
      '--version',
      '1.0.0',
      '--platform',
      'any',
      '--url',
      'http://192.0.2.1:1',
    ];
    const failed = await run(...args);
    assert.equal(failed.exitCode, 2);
    assert.match(failed.stderr, /http:\/\/192\.0\.2\.1:1 does not use TLS.*--allow-plain-http/);
    const address = `http://fleet.localhost:${new URL(key.url).port}`;
    const allowed = await run(
      'upload',
      '--version',
      '1.0.0',
      '--platform',
      'any',
      '--url',
      address,
      '--allow-plain-http',
    );
    assert.notEqual(allowed.exitCode, 2, allowed.stderr);
  });

  it('does not follow a link in place of the build unless the caller allows it', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'fleetwright-elsewhere-'));
    try {
      writeFileSync(join(elsewhere, 'main.sh'), '#!/bin/sh\n');
      chmodSync(join(elsewhere, 'main.sh'), 0o755);
      rmSync(join(folder, 'build'), { recursive: true });
      symlinkSync(elsewhere, join(folder, 'build'));
      const args = ['upload', '--version', '1.0.0', '--platform', 'any', '--json'];
      const failed = await run(...args);
      assert.equal(failed.exitCode, 3);
      assert.match(failed.stdout, /"code":"buildOutside"/);
      assert.equal((await readModule())?.versions.length, 0);
      assert.equal((await run(...args, '--force')).exitCode, 0);
      const named = await run('upload', 'build', '--version=1.0.1', '--platform=any');
      assert.equal(named.exitCode, 0, 'who names it means it');
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('reports that a module must be registered first', async () => {
    writeManifest({ module_id: `${key.organizationId}:unheard-of` });
    const { exitCode, stderr } = await run('upload', '--version', '1.0.0', '--platform', 'any');
    assert.equal(exitCode, 1);
    assert.match(stderr, /The registry has no module ".*:unheard-of".* Create it first\./);
  });

  it('prints its help', async () => {
    for (const args of [['--help'], ['module', '--help'], ['module', 'upload', '--help']]) {
      const { exitCode, stdout } = await program.run(args, { cwd: folder });
      assert.equal(exitCode, 0);
      assert.match(stdout, /^Usage: fleetwright module/);
    }
  });
});
