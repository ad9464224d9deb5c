import assert from 'node:assert/strict';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PackageFolder } from '../../../scripts/support/nativePackages';
import { fromRoot } from '../../../scripts/support/paths';
import { stageExtension } from '../../../scripts/support/stageExtension';
import {
  bindingPackage,
  nativeTargets,
  type VsixTarget,
} from '../../../scripts/support/vsixTargets';

const bundles = [
  '.vscodeignore',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'dist/THIRD_PARTY_NOTICES.txt',
  'dist/chunks/app_pb-1A2B3C4D.js',
  'dist/cli.js',
  'dist/extension.js',
  'dist/extensionMain.js',
  'dist/moduleRun.js',
  'dist/moduleTemplates/python.json',
  'dist/queryProcess.js',
  'dist/service.js',
  'dist/trainingProcess.js',
  'dist/webview/history.css',
  'dist/webview/history.js',
  'dist/webview/history.strings.json',
  'dist/webview/shared-1A2B3C4D.js',
  'l10n/bundle.l10n.de.json',
  'media/schemas/machineConfig.schema.json',
  'package.json',
  'package.nls.json',
];
const left = [
  'dist/extension.js.map',
  'dist/extensionMain.js.map',
  'dist/node_modules/@duckdb/node-bindings-other/duckdb.node',
  'dist/webview/history.js.map',
  'docs/operations.md',
  'l10n/bundle.l10n.json',
  'media/moduleTemplates/python/setup.sh',
  'node_modules/kysely/index.js',
  'src/extension.ts',
];
const portable: Readonly<Record<string, readonly string[]>> = {
  '@duckdb/node-api': ['package.json', 'README.md', 'LICENSE', 'lib/index.js', 'lib/index.d.ts'],
  '@duckdb/node-bindings': ['package.json', 'LICENSE', 'duckdb.js', 'duckdb.d.ts'],
  'detect-libc': ['package.json', 'LICENSE', 'index.d.ts', 'lib/detect-libc.js'],
};
const running = [
  '@duckdb/node-api/lib/index.js',
  '@duckdb/node-api/package.json',
  '@duckdb/node-bindings/duckdb.js',
  '@duckdb/node-bindings/package.json',
  'detect-libc/lib/detect-libc.js',
  'detect-libc/package.json',
];

function getLibraryName(target: VsixTarget): string {
  if (target.startsWith('win32')) return 'duckdb.dll';
  return target.startsWith('darwin') ? 'libduckdb.dylib' : 'libduckdb.so';
}

function macOsFile(cpuType: number): Buffer {
  const file = Buffer.alloc(8);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(cpuType, 4);
  return file;
}

/** Returns a universal file with both architectures: their table, then 8 bytes for each. */
function universalMacOsFile(): Buffer {
  const cpuTypes = [0x0100_0007, 0x0100_000c];
  const table = [
    0xcafebabe,
    2,
    ...cpuTypes.flatMap((cpu, index) => [cpu, 0, 48 + 8 * index, 8, 0]),
  ];
  const file = Buffer.alloc(48);
  table.forEach((word, index) => file.writeUInt32BE(word, 4 * index));
  return Buffer.concat([file, ...cpuTypes.map(macOsFile)]);
}

describe('stageExtension', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-stage-'));
    for (const path of [...bundles, ...left]) write(join('repository', path), path);
    copyFileSync(fromRoot('.vscodeignore'), join(folder, 'repository', '.vscodeignore'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function write(path: string, content: string | Buffer): void {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  function makePackage(name: string, files: readonly string[]): PackageFolder {
    for (const file of files) write(join('packages', name, file), `${name}'s ${file}`);
    const facts = { name, version: '1.2.3', license: 'MIT' };
    write(join('packages', name, 'package.json'), JSON.stringify(facts));
    return { name, folder: join(folder, 'packages', name) };
  }

  function makePackages(target: VsixTarget): PackageFolder[] {
    if (target === 'universal') return [];
    const name = bindingPackage(target);
    const binding = makePackage(name, ['package.json', 'README.md', 'LICENSE']);
    const native = target.startsWith('darwin') ? universalMacOsFile() : Buffer.from(target);
    for (const file of ['duckdb.node', getLibraryName(target)]) {
      write(join('packages', name, file), native);
    }
    return [...Object.entries(portable).map(([one, files]) => makePackage(one, files)), binding];
  }

  function stage(target: VsixTarget): string {
    const staged = join(folder, target);
    const source = join(folder, 'repository');
    stageExtension({ source, folder: staged, target, packages: makePackages(target) });
    return staged;
  }

  function filesIn(path: string): string[] {
    return globSync(['**', '.vscodeignore'], { cwd: path })
      .filter((file) => statSync(join(path, file)).isFile())
      .map((file) => file.replaceAll('\\', '/'))
      .sort();
  }

  for (const target of nativeTargets) {
    it(`contains the runtime files, and only the query engine of ${target}`, () => {
      const native = ['duckdb.node', getLibraryName(target), 'package.json'].map(
        (file) => `${bindingPackage(target)}/${file}`,
      );
      const packages = [...running, ...native].map((file) => `dist/node_modules/${file}`);
      assert.deepEqual(filesIn(stage(target)), [...bundles, ...packages].sort());
    });
  }

  it('contains no query engine for all other platforms', () => {
    assert.deepEqual(filesIn(stage('universal')), bundles);
  });

  it('reduces the libraries for macOS to one architecture', () => {
    for (const [target, cpuType] of [
      ['darwin-x64', 0x0100_0007],
      ['darwin-arm64', 0x0100_000c],
    ] as const) {
      const packages = join(stage(target), 'dist', 'node_modules', bindingPackage(target));
      for (const file of ['duckdb.node', 'libduckdb.dylib']) {
        assert.deepEqual(readFileSync(join(packages, file)), macOsFile(cpuType));
      }
    }
  });

  it('adds the licenses of included packages to those of the bundles', () => {
    const notices = readFileSync(
      join(stage('linux-x64'), 'dist', 'THIRD_PARTY_NOTICES.txt'),
      'utf8',
    );
    assert.ok(notices.startsWith('dist/THIRD_PARTY_NOTICES.txt'));
    for (const name of [...Object.keys(portable), bindingPackage('linux-x64')]) {
      assert.ok(notices.includes(`${name} 1.2.3 (MIT)\n\n${name}'s LICENSE`), name);
    }
  });
});
