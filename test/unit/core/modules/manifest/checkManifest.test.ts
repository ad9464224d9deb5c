import assert from 'node:assert/strict';
import type { NamedFileFacts } from '../../../../../src/core/modules/buildFacts';
import {
  checkManifest,
  type ExaminedBuild,
} from '../../../../../src/core/modules/manifest/checkManifest';
import {
  checkDescription,
  checkScript,
  commandFile,
  listDescriptions,
  listScripts,
} from '../../../../../src/core/modules/manifest/checkSources';
import {
  formatManifestDiagnostic,
  formatFix,
} from '../../../../../src/core/modules/manifest/formatManifestDiagnostic';
import type { ModuleManifest } from '../../../../../src/core/modules/manifest/moduleManifest';
import { parseManifest } from '../../../../../src/core/modules/manifest/parseManifest';
import { englishLocalizer } from '../../../../../src/base/localizer';

function manifestWith(fields: Readonly<Record<string, unknown>> = {}): ModuleManifest {
  const whole = { module_id: 'acme:weather', entrypoint: 'main', ...fields };
  const { manifest } = parseManifest(JSON.stringify(whole));
  assert.ok(manifest);
  return manifest;
}

function entry(changes: Partial<NamedFileFacts> = {}): NamedFileFacts {
  return { path: 'main', state: 'ok', platform: undefined, candidates: [], ...changes };
}

function build(changes: Partial<ExaminedBuild> = {}): ExaminedBuild {
  return { form: 'folder', entrypoint: entry(), firstRun: undefined, problems: [], ...changes };
}

describe('checkManifest', () => {
  it('reports nothing for a complete build', () => {
    const entrypoint = entry({
      platform: 'linux/amd64',
      program: { kind: 'program', platform: 'linux/amd64' },
    });
    const manifest = manifestWith({ build: { arch: ['linux/amd64', 'linux/arm64'] } });
    assert.deepEqual(checkManifest(manifest, build({ entrypoint })), []);
  });

  it('reports a missing file, with similar files as fixes', () => {
    const entrypoint = entry({ state: 'missing', candidates: ['dist/main'] });
    const [found] = checkManifest(manifestWith(), build({ entrypoint }));
    assert.equal(found?.code, 'fileMissing');
    assert.deepEqual(found.fixes, [
      { kind: 'setValue', path: ['entrypoint'], value: 'dist/main' },
      { kind: 'createScript', file: 'main' },
    ]);
    assert.deepEqual(
      found.fixes.map((fix) => formatFix(fix, englishLocalizer)),
      ['Set to "dist/main"', 'Create main'],
    );
  });

  it('reports a missing file only as not built if the manifest has a build command', () => {
    const manifest = manifestWith({ build: { build: 'make' } });
    const missing = build({ entrypoint: entry({ state: 'missing' }) });
    const [found] = checkManifest(manifest, missing);
    assert.equal(found?.code, 'notBuilt');
    assert.equal(found.severity, 'warning');
    assert.deepEqual(found.fixes, [{ kind: 'build' }]);
    const [made] = checkManifest(manifest, missing, { build: 'out' });
    assert.equal(made?.code, 'fileMissing');
    assert.equal(
      formatManifestDiagnostic(made, englishLocalizer),
      "entrypoint: the file main doesn't exist in out.",
    );
  });

  it('offers to fix permissions in folders, not in archives', () => {
    const entrypoint = entry({ state: 'notExecutable' });
    const [inFolder] = checkManifest(manifestWith(), build({ entrypoint }), { build: 'out' });
    assert.deepEqual(inFolder?.fixes, [{ kind: 'makeExecutable', file: 'out/main' }]);
    const [inArchive] = checkManifest(manifestWith(), build({ form: 'archive', entrypoint }));
    assert.equal(inArchive?.code, 'fileNotExecutable');
    assert.deepEqual(inArchive.fixes, []);
  });

  it('reports a build for another machine', () => {
    const entrypoint = entry({ platform: 'linux/amd64' });
    const codes = (arch: readonly string[]): readonly string[] =>
      checkManifest(manifestWith({ build: { arch } }), build({ entrypoint })).map(
        (diagnostic) => diagnostic.code,
      );
    assert.deepEqual(codes(['linux/arm64', 'darwin/arm64']), ['programPlatform']);
    assert.deepEqual(codes(['linux/arm64', 'linux/amd64']), []);
    assert.deepEqual(codes([]), []);
    const chosen = checkManifest(manifestWith(), build({ entrypoint }), {
      platforms: ['linux/arm64'],
    });
    assert.equal(
      chosen[0] && formatManifestDiagnostic(chosen[0], englishLocalizer),
      "main is a program for linux/amd64. It doesn't run on linux/arm64.",
    );
  });

  it('reports scripts that machines cannot start', () => {
    const findCode = (program: NamedFileFacts['program']): string | undefined =>
      checkManifest(manifestWith(), build({ entrypoint: entry({ program }) }))[0]?.code;
    const script = { kind: 'script', interpreter: '/bin/sh', hasCarriageReturn: false } as const;
    assert.equal(findCode(script), undefined);
    assert.equal(findCode({ ...script, hasCarriageReturn: true }), 'scriptLineEnds');
    assert.equal(findCode({ ...script, interpreter: 'python3' }), 'scriptInterpreter');
    assert.equal(findCode({ kind: 'foreign', format: 'ELF' }), 'programForeign');
    assert.equal(findCode({ kind: 'unknown' }), 'programUnknown');
    const batch = entry({ path: 'main.bat', program: { kind: 'unknown' } });
    assert.deepEqual(checkManifest(manifestWith(), build({ entrypoint: batch })), []);
  });

  it('reports problems of the build as a whole', () => {
    const problems = [
      { code: 'linkOutside', path: 'venv/python', target: '/usr/bin/python3' },
      { code: 'parentPath', path: '../../evil\nname' },
      { code: 'tooManyEntries', path: '' },
    ] as const;
    const found = checkManifest(manifestWith(), build({ problems }));
    assert.deepEqual(
      found.map((diagnostic) => formatManifestDiagnostic(diagnostic, englishLocalizer)),
      [
        "The link venv/python points to /usr/bin/python3, which is outside the build. Machines wouldn't have that file.",
        'The archive contains ../../evil\ufffdname, which is outside the folder that the archive is extracted to.',
        "The build has more than 100,000 files and folders. Exclude files that machines don't need.",
      ],
    );
  });
});

describe('the files of a manifest', () => {
  const manifest = manifestWith({
    markdown_link: 'README.md#module',
    models: [{ api: 'a:b:c', model: 'a:b:c', markdown_link: 'https://example.com/x.md' }],
    build: { setup: 'sh setup.sh', build: './scripts/build.sh --fast' },
  });

  it('include descriptions and scripts of the build', () => {
    const descriptions = listDescriptions(manifest);
    const scripts = listScripts(manifest);
    assert.deepEqual(
      descriptions.map(({ file, heading }) => [file, heading]),
      [['README.md', 'module']],
    );
    assert.deepEqual(
      scripts.map(({ file }) => file),
      ['setup.sh', 'scripts/build.sh'],
    );
    const diagnostics = [
      ...descriptions.flatMap((file) => checkDescription(file, 'missing')),
      ...scripts.flatMap((file) => checkScript(file, 'missing')),
    ];
    assert.deepEqual(
      diagnostics.map(({ code, severity }) => `${severity} ${code}`),
      ['error descriptionMissing', 'error commandMissing', 'error commandMissing'],
    );
    assert.deepEqual(diagnostics[2]?.fixes, [{ kind: 'createScript', file: 'scripts/build.sh' }]);
  });

  it('require a permission only if they are started directly', () => {
    const diagnostics = listScripts(manifest).flatMap((file) => checkScript(file, 'notExecutable'));
    assert.deepEqual(
      diagnostics.map(({ path }) => path.join('.')),
      ['build.build'],
    );
    assert.deepEqual(diagnostics[0]?.fixes, [{ kind: 'makeExecutable', file: 'scripts/build.sh' }]);
  });

  it('are found only in plain commands', () => {
    const getFile = (command: string): string | undefined => commandFile(command)?.file;
    assert.equal(getFile('./build.sh'), 'build.sh');
    assert.equal(getFile('  tools/build.sh  a b'), 'tools/build.sh');
    assert.equal(getFile('python3 build.py'), 'build.py');
    for (const command of [
      'make',
      '/bin/sh x',
      '../build.sh',
      './a;b',
      './$(x)',
      'sh -c "ls"',
      '',
    ]) {
      assert.equal(getFile(command), undefined, command);
    }
  });
});
