import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { extract } from 'tar';
import { fromRoot } from '../../scripts/support/paths';
import { MODULE_APIS } from '../../src/core/modules/generate/moduleApi';
import { DynamicGrpc } from '../support/dynamicGrpc';
import { addModelInto, generatedInto } from '../support/generatedModule';
import { describeWithPython } from '../support/withPython';

const TOOLS = fromRoot('node_modules', '.bin');
const API = 'rdk:component:sensor';
const MODEL = 'acme:weather:station';

describe('modules generated in TypeScript', function () {
  this.timeout(120_000);
  let folder: string;
  const of = (...segments: string[]): string => join(folder, ...segments);
  const keys = MODULE_APIS.filter(({ languages }) => languages.includes('typescript')).map(
    ({ key }) => key,
  );

  /** Runs a program in the folder of a module, with the tools that `npm install` would install. */
  function run(moduleFolder: string, command: string, ...args: string[]): string {
    const PATH = `${TOOLS}${delimiter}${process.env.PATH ?? ''}`;
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: of(moduleFolder),
      env: { ...process.env, PATH },
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
    return stdout;
  }

  /** Compiles the module's wire definitions. */
  function readDescriptors(moduleFolder: string): Uint8Array {
    const file = of(`${moduleFolder}.binpb`);
    run(moduleFolder, 'buf', 'build', '--as-file-descriptor-set', '-o', file);
    return readFileSync(file);
  }

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-modules-'));
    symlinkSync(fromRoot('node_modules'), of('node_modules'));
    generatedInto(of('sensor'), 'sensor', 'typescript');
    // Add all other APIs to a single module, which saves time.
    generatedInto(of('all'), 'sensor', 'typescript');
    for (const key of keys) if (key !== 'sensor') addModelInto(of('all'), key, 'typescript');
    run('all', 'buf', 'generate');
    run('sensor', 'buf', 'generate');
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('compile for every API', () => {
    run('all', 'tsc');
  });

  it('register every model that was added, and list it in their manifest', async () => {
    const { models } = JSON.parse(readFileSync(of('all', 'meta.json'), 'utf8')) as {
      models: { model: string }[];
    };
    const names = keys.map((key) => `acme:weather:${key === 'sensor' ? 'station' : key}`);
    assert.deepEqual(models.map(({ model }) => model).toSorted(), names.toSorted());
    run('all', process.execPath, 'build.mjs');
    const program = await startProgram(of('all', 'run.sh'), of('all.sock'));
    try {
      const machine = new DynamicGrpc(program.transport, readDescriptors('all'));
      const parentAddress = 'unix:///tmp/none.sock';
      const ready = await machine.call('viam.module.v1.ModuleService/Ready', { parentAddress });
      const { handlermap } = ready as { handlermap: { handlers: { models: string[] }[] } };
      const served = handlermap.handlers.flatMap((handler) => handler.models);
      assert.deepEqual(served.toSorted(), names.toSorted());
    } finally {
      await program.stop();
    }
  });

  it('pass their own lint for every API', () => {
    const { scripts } = JSON.parse(readFileSync(of('all', 'package.json'), 'utf8')) as {
      scripts: { lint: string };
    };
    run('all', '/bin/sh', '-c', scripts.lint);
    writeFileSync(of('all', 'src', 'sloppy.ts'), 'export const sloppy: any = 1;\n');
    assert.throws(() => run('all', '/bin/sh', '-c', scripts.lint), /no-explicit-any/);
    rmSync(of('all', 'src', 'sloppy.ts'));
  });

  it('pass their own tests, which call them like a machine', () => {
    const tests = readdirSync(of('all', 'test')).filter((name) => name.endsWith('.test.ts'));
    assert.equal(tests.length, keys.length + 1);
    const args = ['--import', 'tsx', '--test', '--test-isolation=none', '--test-reporter=tap'];
    const report = run('all', process.execPath, ...args, ...tests.map((name) => `test/${name}`));
    assert.match(report, /^# fail 0$/m);
  });

  it('require the versions of packages that this repository tests them with', () => {
    const ours = readDependencies(fromRoot('package.json'));
    for (const [name, version] of readDependencies(of('sensor', 'package.json'))) {
      assert.equal(version, ours.get(name), name);
    }
  });

  it('build one archive, which starts and responds to a machine', async () => {
    run('sensor', process.execPath, 'build.mjs');
    await mkdir(of('installed'));
    await extract({ file: of('sensor', 'dist', 'archive.tar.gz'), cwd: of('installed') });
    const program = await startProgram(of('installed', 'run.sh'), of('module.sock'));
    try {
      const machine = new DynamicGrpc(program.transport, readDescriptors('sensor'));
      await useModule(machine, program.transport);
    } finally {
      await program.stop();
    }
    assert.ok(!existsSync(of('module.sock')), 'the socket is deleted with the module');
  });

  it('report missing requirements on a machine without Node.js', async () => {
    await mkdir(of('bare'));
    const dirname = ['/usr/bin/dirname', '/bin/dirname'].find((path) => existsSync(path));
    assert.ok(dirname);
    symlinkSync(dirname, of('bare', 'dirname'));
    const { status, stderr } = spawnSync(of('sensor', 'run.sh'), ['/tmp/none.sock'], {
      env: { PATH: of('bare') },
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /runs on Node\.js 22 or newer/);
  });
});

describe('modules generated in Python', () => {
  it('compile for every API and with every set of added models', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-python-'));
    try {
      generatedInto(join(folder, 'all'), 'sensor', 'python');
      for (const { key, languages } of MODULE_APIS) {
        if (!languages.includes('python')) continue;
        generatedInto(join(folder, key), key, 'python');
        if (key !== 'sensor') addModelInto(join(folder, 'all'), key, 'python');
      }
      const { error, status, stdout, stderr } = spawnSync(
        'python3',
        ['-m', 'compileall', '-q', folder],
        { encoding: 'utf8' },
      );
      // Skip the check: developers without Python don't generate Python modules either.
      if (error) return;
      assert.equal(status, 0, `${stdout}\n${stderr}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describeWithPython('the tests of a module generated in Python', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-python-'));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const { key, languages } of MODULE_APIS) {
    if (!languages.includes('python')) continue;
    it(`pass for ${key}, with a stand-in for the public package`, () => {
      generatedInto(join(folder, key), key, 'python');
      const { status, stdout, stderr } = spawnSync(
        'python3',
        [fromRoot('test', 'support', 'runPythonModule.py')],
        { cwd: join(folder, key), encoding: 'utf8' },
      );
      assert.equal(status, 0, `${stdout}\n${stderr}`);
    });
  }
});

describe('run.sh of a module generated in Python', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-python-'));
    generatedInto(folder, 'sensor', 'python');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Creates a fake virtual environment that records the arguments of its programs and fails if pip
   * must fail.
   */
  function writeEnvironment({ pipStatus }: { pipStatus: number }): void {
    mkdirSync(join(folder, '.venv', 'bin'), { recursive: true });
    const script = `#!/bin/sh\necho "$2" >> calls\n[ "$2" != pip ] || exit ${String(pipStatus)}\n`;
    writeFileSync(join(folder, '.venv', 'bin', 'python'), script, { mode: 0o755 });
  }

  function run(): { status: number | null; calls: string[] } {
    rmSync(join(folder, 'calls'), { force: true });
    const { status } = spawnSync('/bin/sh', ['run.sh', '/tmp/none.sock'], { cwd: folder });
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    return { status, calls };
  }

  it('installs again after a failed installation, and only once after a success', () => {
    writeEnvironment({ pipStatus: 1 });
    assert.deepEqual(run(), { status: 1, calls: ['pip'] });
    writeEnvironment({ pipStatus: 0 });
    assert.deepEqual(run(), { status: 0, calls: ['pip', 'src.main'] });
    assert.deepEqual(run(), { status: 0, calls: ['src.main'] });
  });

  it('installs again when requirements.txt has changed', () => {
    writeEnvironment({ pipStatus: 0 });
    assert.deepEqual(run().calls, ['pip', 'src.main']);
    writeFileSync(join(folder, 'requirements.txt'), 'viam-sdk==0.61.0\n');
    assert.deepEqual(run().calls, ['pip', 'src.main']);
  });
});

describe('build.sh --offline of a module generated in Python', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-python-'));
    generatedInto(folder, 'sensor', 'python');
    mkdirSync(join(folder, '.venv', 'bin'), { recursive: true });
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Creates a fake virtual environment whose PyInstaller creates a program that records its
   * arguments.
   */
  function writeEnvironment({ installerStatus }: { installerStatus: number }): void {
    const script = `#!/bin/sh
echo "$2" >> calls
[ "$2" = PyInstaller ] || exit 0
[ ${String(installerStatus)} = 0 ] || exit ${String(installerStatus)}
mkdir -p dist/offline
printf '#!/bin/sh\\necho "program $*"\\n' > dist/offline/program
chmod +x dist/offline/program
`;
    writeFileSync(join(folder, '.venv', 'bin', 'python'), script, { mode: 0o755 });
  }

  const sh = (cwd: string, ...args: string[]) =>
    spawnSync('/bin/sh', args, { cwd, encoding: 'utf8' });

  it('creates an archive that starts without Python and installs nothing', () => {
    writeEnvironment({ installerStatus: 0 });
    const { status, stdout, stderr } = sh(folder, 'build.sh', '--offline');
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    assert.deepEqual(calls, ['compileall', 'unittest', 'pip', 'PyInstaller']);
    const machine = join(folder, 'machine');
    mkdirSync(machine);
    const archive = join(folder, 'dist', 'archive.tar.gz');
    assert.equal(spawnSync('tar', ['-xzf', archive, '-C', machine]).status, 0);
    const files = ['README.md', 'meta.json', 'program', 'run.sh', 'setup.sh'];
    assert.deepEqual(readdirSync(machine).toSorted(), files);
    assert.equal(sh(machine, 'setup.sh').status, 0);
    assert.equal(sh(machine, 'run.sh', '/tmp/none.sock').stdout, 'program /tmp/none.sock\n');
    assert.deepEqual(readdirSync(machine).toSorted(), files);
  });

  it('creates no archive if PyInstaller fails', () => {
    writeEnvironment({ installerStatus: 3 });
    assert.equal(sh(folder, 'build.sh', '--offline').status, 3);
    assert.deepEqual(readdirSync(join(folder, 'dist')), []);
  });
});

/** Starts a module as a machine does; resolves when the module listens. */
async function startProgram(program: string, socket: string) {
  const child = spawn(program, [socket], { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [started] = (await once(createInterface(child.stdout), 'line')) as [string];
  assert.equal(started, `Listening on ${socket}.`);
  return {
    transport: createGrpcTransport({
      baseUrl: 'http://module',
      nodeOptions: { createConnection: () => connect(socket) },
    }),
    stop: async () => {
      child.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null]);
    },
  };
}

/** Uses a module as a machine does, from its start to the removal of a resource. */
async function useModule(
  machine: DynamicGrpc,
  transport: ReturnType<typeof createGrpcTransport>,
): Promise<void> {
  const modules = 'viam.module.v1.ModuleService';
  const ready = await machine.call(`${modules}/Ready`, { parentAddress: 'unix:///tmp/none.sock' });
  const protoService = 'viam.component.sensor.v1.SensorService';
  const subtype = { namespace: 'rdk', type: 'component', subtype: 'sensor' };
  const handlers = [{ subtype: { subtype, protoService }, models: [MODEL] }];
  assert.deepEqual(ready, { ready: true, handlermap: { handlers } });

  // From here on, use only information that the module reports about itself.
  const answer = await machine.call(
    'grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
    { fileContainingSymbol: protoService },
  );
  const sensor = new DynamicGrpc(transport, decodeDescriptors(answer));
  const config = { name: 'outside', api: API, model: MODEL, attributes: { offset_celsius: 200 } };
  const wrong = { ...config, attributes: { offset_celsius: 'warm' } };
  await assert.rejects(
    () => machine.call(`${modules}/ValidateConfig`, { config: wrong }),
    /invalid_argument.*"offset_celsius" has to be a number, not "warm"/,
  );
  await machine.call(`${modules}/AddResource`, { config });
  const measured = await sensor.call(`${protoService}/GetReadings`, { name: 'outside' });
  assert.match(JSON.stringify(measured), /^\{"readings":\{"temperature_celsius":2[12]\d/);
  await machine.call(`${modules}/ReconfigureResource`, { config: { ...config, attributes: {} } });
  const again = await sensor.call(`${protoService}/GetReadings`, { name: 'outside' });
  assert.match(JSON.stringify(again), /"temperature_celsius":(1|2)\d[.}]/);
  await machine.call(`${modules}/RemoveResource`, { name: `${API}/outside` });
  await assert.rejects(
    () => sensor.call(`${protoService}/GetReadings`, { name: 'outside' }),
    /not_found/,
  );
}

/** Returns the files in a reflection response, which must include all imported files. */
function decodeDescriptors(answer: unknown): Uint8Array {
  const { fileDescriptorResponse } = answer as {
    fileDescriptorResponse: { fileDescriptorProto: readonly string[] };
  };
  const file = fileDescriptorResponse.fileDescriptorProto
    .map((one) => fromBinary(FileDescriptorProtoSchema, Buffer.from(one, 'base64')))
    .reverse();
  return toBinary(FileDescriptorSetSchema, {
    $typeName: 'google.protobuf.FileDescriptorSet',
    file,
  });
}

function readDependencies(path: string): ReadonlyMap<string, string> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path, 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  return new Map(Object.entries({ ...dependencies, ...devDependencies }));
}
