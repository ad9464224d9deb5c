import assert from 'node:assert/strict';
import { checkManifest } from '../../../../../src/core/modules/manifest/checkManifest';
import {
  formatDiagnosticLine,
  toReportedDiagnostic,
  formatManifestDiagnostic,
} from '../../../../../src/core/modules/manifest/formatManifestDiagnostic';
import { isManifest } from '../../../../../src/core/modules/manifest/manifestLanguage';
import type { ManifestDiagnostic } from '../../../../../src/core/modules/manifest/manifestDiagnostic';
import { englishLocalizer } from '../../../../../src/base/localizer';
import { mightBeManifest } from '../../../../../src/core/modules/manifest/moduleManifest';
import {
  MAX_MANIFEST_LENGTH,
  parseManifest,
} from '../../../../../src/core/modules/manifest/parseManifest';

const WHOLE = {
  $schema: 'https://dl.viam.dev/module.schema.json',
  module_id: 'acme:weather',
  visibility: 'public_unlisted',
  url: 'https://example.com/weather',
  description: 'Weather',
  markdown_link: 'README.md#module',
  models: [
    {
      api: 'rdk:component:sensor',
      model: 'acme:weather:station',
      short_description: 'A station',
      markdown_link: 'README.md#station',
    },
  ],
  entrypoint: 'dist/main',
  first_run: 'setup.sh',
  build: {
    setup: './setup.sh',
    build: './build.sh',
    path: 'dist/archive.tar.gz',
    arch: ['linux/amd64', 'any'],
    darwin_deps: ['go'],
  },
  applications: [{ name: 'board', type: 'multi_machine', entrypoint: 'web/index.html' }],
  something_else: { of: ['others'] },
};

/** Returns the problems of a manifest that is `WHOLE` with some fields replaced. */
function findManifestProblems(
  changes: Readonly<Record<string, unknown>>,
): readonly ManifestDiagnostic[] {
  return parseManifest(JSON.stringify({ ...WHOLE, ...changes }, undefined, 2)).problems;
}

function getCodes(problems: readonly ManifestDiagnostic[]): readonly string[] {
  return problems.map(({ code }) => code);
}

function getOnlyProblem(problems: readonly ManifestDiagnostic[]): ManifestDiagnostic {
  const [problem, ...others] = problems;
  assert.ok(problem);
  assert.deepEqual(getCodes(others), []);
  return problem;
}

/** Returns the text that the first fix of a problem inserts. */
function writtenBy({ fixes }: ManifestDiagnostic): string | undefined {
  const [fix] = fixes;
  return fix?.kind === 'setValue' ? fix.value : fix?.kind === 'renameField' ? fix.name : undefined;
}

describe('a module manifest', () => {
  it('is parsed completely, and preserves unknown fields', () => {
    const { manifest, problems } = parseManifest(JSON.stringify(WHOLE));
    assert.deepEqual(problems, []);
    assert.deepEqual(manifest, {
      moduleId: 'acme:weather',
      visibility: 'publicUnlisted',
      url: 'https://example.com/weather',
      description: 'Weather',
      markdownLink: 'README.md#module',
      models: [
        {
          api: 'rdk:component:sensor',
          model: 'acme:weather:station',
          shortDescription: 'A station',
          markdownLink: 'README.md#station',
        },
      ],
      entrypoint: 'dist/main',
      firstRun: 'setup.sh',
      build: {
        setup: './setup.sh',
        build: './build.sh',
        path: 'dist/archive.tar.gz',
        arch: ['linux/amd64', 'any'],
        darwinDependencies: ['go'],
      },
      apps: [{ name: 'board', type: 'multi_machine', entrypoint: 'web/index.html' }],
    });
  });

  it('can have null and empty texts, as public tools write them', () => {
    const changes = { models: null, first_run: '', markdown_link: null, url: '', build: null };
    const text = JSON.stringify({ ...WHOLE, ...changes });
    const { manifest, problems } = parseManifest(text);
    assert.deepEqual(problems, []);
    assert.ok(manifest);
    assert.deepEqual(manifest.models, []);
    assert.equal(manifest.firstRun, undefined);
    assert.equal(manifest.build.build, undefined);
  });

  it('is distinguished from files of other programs with its name', () => {
    const is = (name: string, text: string): boolean =>
      mightBeManifest(name, text) && isManifest(name, parseManifest(text));
    assert.ok(is('meta.json', '{ "module_id": "" }'));
    assert.ok(is('robot.json', `{ "$schema": "${WHOLE.$schema}" }`));
    assert.ok(!is('meta.json', '{ "title": "Guide" }'));
    assert.ok(!is('meta.json', '{ "title": "a \\"module_id\\"" , "of": { "module_id": 1 } }'));
    assert.ok(!is('config.json', '{ "modules": [{ "module_id": "acme:weather" }] }'));
    assert.ok(!is('meta.json', '["module_id"]'));
  });

  it('includes the position of values, or of their parent', () => {
    const text = '{\n  "module_id": "acme:weather",\n  "models": [{ "api": "x" }]\n}';
    const { getRange } = parseManifest(text);
    const at = (path: (string | number)[], asKey?: boolean): string => {
      const { offset, length } = getRange(path, asKey);
      return text.slice(offset, offset + length);
    };
    assert.equal(at(['module_id']), '"acme:weather"');
    assert.equal(at(['module_id'], true), '"module_id"');
    assert.equal(at(['models', 0, 'api']), '"x"');
    assert.equal(at(['models', 0, 'model']), '{');
    assert.equal(at(['build', 'arch', 3]), '{');
    assert.equal(at(['models', 7, 'api']), '"models"');
  });
});

describe('a module manifest that is not valid JSON', () => {
  it('is parsed as far as possible while the user types', () => {
    const { manifest, problems } = parseManifest('{ "module_id": "acme:weather", "entrypoint": ');
    assert.equal(manifest?.moduleId, 'acme:weather');
    assert.ok(getCodes(problems).includes('notJson'));
  });

  it('reports comments, commas, other values, and an empty file separately', () => {
    const first = (text: string): string | undefined => getCodes(parseManifest(text).problems)[0];
    assert.equal(first('// module\n{ "module_id": "a:b", "entrypoint": "x" }'), 'comment');
    assert.equal(first('{ "module_id": "a:b", "entrypoint": "x", }'), 'trailingComma');
    assert.equal(first('["module_id"]'), 'notAnObject');
    assert.equal(first(''), 'notJson');
    assert.equal(first('\u0000\u0001\uFFFD{]'), 'notJson');
  });

  it('is not parsed if it is too deep or too large', () => {
    const deep = '{"a":'.repeat(200_000);
    assert.deepEqual(getCodes(parseManifest(deep).problems), ['tooDeep']);
    assert.deepEqual(getCodes(parseManifest('['.repeat(999_999)).problems), ['tooDeep']);
    const large = JSON.stringify({ ...WHOLE, description: 'x'.repeat(MAX_MANIFEST_LENGTH) });
    assert.deepEqual(getCodes(parseManifest(large).problems), ['tooLarge']);
    assert.equal(parseManifest(large).manifest, undefined);
  });

  it('is not parsed if something hides its depth', () => {
    const deep = '['.repeat(200_000);
    for (const hidden of [
      `{"a": "\n${deep}"`,
      `{"a": /* " */ ${deep}"`,
      `{"a": // "\n ${deep}"`,
      `{${']'.repeat(200_000)}, "a": ${deep}`,
      '[ } , '.repeat(100_000),
    ]) {
      assert.deepEqual(getCodes(parseManifest(hidden).problems), ['tooDeep'], hidden.slice(0, 20));
    }
  });

  it('is parsed with brackets in texts, which do not count', () => {
    assert.deepEqual(findManifestProblems({ description: '[{'.repeat(500) }), []);
  });

  it('is parsed in linear time with any content', () => {
    const around = (middle: string): string => `{"module_id": "acme:weather", ${middle}}`;
    for (const hostile of [
      `{"module_id": "${'\\"'.repeat(490_000)}`,
      around(','.repeat(900_000)),
      around(`"urlx": 1,`.repeat(90_000)),
      around(`"x": 1,`.repeat(120_000)),
      around(`"build": {"arch": [${'"",'.repeat(150_000)}${'"any",'.repeat(60_000)}"any"]}`),
    ]) {
      const { problems, getRange } = parseManifest(hostile);
      // In quadratic time, this would exceed the test's time limit.
      for (const { path } of problems) getRange(path);
    }
  });

  it('reports the first of many errors, and never only warnings', () => {
    const text = JSON.stringify({ ...WHOLE, build: { path: '/etc' } });
    const many = text.replace('{', `{${'"module_ids": 1,'.repeat(1_000)}`);
    const { problems } = parseManifest(many.replace('"module_id":', '"other":'));
    assert.ok(problems.length <= 200, String(problems.length));
    assert.ok(problems.some(({ severity }) => severity === 'error'));
    const warned = findManifestProblems({
      applications: Array.from({ length: 300 }, (_, index) => ({
        name: `app${String(index)}`,
        type: 'multi_machine',
        entrypoint: 'a b.html',
      })),
      build: { path: '/etc' },
    });
    assert.equal(warned.filter(({ severity }) => severity === 'warning').length, 100);
    assert.deepEqual(getCodes(warned.filter(({ severity }) => severity === 'error')), [
      'pathAbsolute',
    ]);
  });

  it('uses the last value of a repeated field, like programs, and reports it', () => {
    const text = `{ "module_id": "a:b", "entrypoint": "old", "entrypoint": "new" }`;
    const { manifest, problems, getRange } = parseManifest(text);
    assert.equal(manifest?.entrypoint, 'new');
    assert.equal(getOnlyProblem(problems).code, 'duplicateKey');
    assert.equal(text.slice(getRange(['entrypoint']).offset), '"new" }');
  });

  it('can have fields with a special meaning in JavaScript', () => {
    const text = JSON.stringify(WHOLE).replace('"build":', '"__proto__":{"url":1},"build":');
    const { manifest, problems } = parseManifest(text);
    assert.deepEqual(problems, []);
    assert.equal(manifest?.url, WHOLE.url);
    assert.deepEqual(getCodes(findManifestProblems({ constructor: 1, toString: 2 })), []);
  });
});

describe('fields of a module manifest', () => {
  it('have a type', () => {
    assert.equal(getOnlyProblem(findManifestProblems({ description: 3 })).code, 'wrongType');
    assert.deepEqual(getOnlyProblem(findManifestProblems({ models: 'station' })).args, [
      'models',
      'list',
    ]);
    assert.deepEqual(getOnlyProblem(findManifestProblems({ build: [] })).args, ['build', 'object']);
    const build = { ...WHOLE.build, arch: ['linux/amd64', 5] };
    assert.deepEqual(getOnlyProblem(findManifestProblems({ build })).path, ['build', 'arch', 1]);
  });

  it('have one problem if they have the wrong type', () => {
    const [own] = WHOLE.models;
    assert.deepEqual(getOnlyProblem(findManifestProblems({ models: [own, 'station'] })).path, [
      'models',
      1,
    ]);
    assert.deepEqual(getOnlyProblem(findManifestProblems({ models: [null] })).args, [
      'models',
      'object',
    ]);
    const ofApi = getOnlyProblem(findManifestProblems({ models: [{ ...own, api: 5 }] }));
    assert.deepEqual([ofApi.code, ofApi.path], ['wrongType', ['models', 0, 'api']]);
    assert.deepEqual(getOnlyProblem(findManifestProblems({ applications: [3] })).path, [
      'applications',
      0,
    ]);
    assert.equal(
      getOnlyProblem(findManifestProblems({ entrypoint: 5, applications: [] })).code,
      'wrongType',
    );
    assert.equal(getOnlyProblem(findManifestProblems({ module_id: ['acme'] })).code, 'wrongType');
    const two = getCodes(findManifestProblems({ models: [{ api: 5, model: 'a:b:c:d' }] }));
    assert.deepEqual(two, ['wrongType', 'modelForm'], 'both errors are reported');
  });

  it('are reported as misspelled if a similar field exists', () => {
    const { entrypoint, ...without } = WHOLE;
    const [problem] = parseManifest(
      JSON.stringify({ ...without, entry_point: entrypoint }),
    ).problems;
    assert.ok(problem);
    assert.equal(problem.code, 'unknownField');
    assert.equal(writtenBy(problem), 'entrypoint');
    const unknownField = getOnlyProblem(findManifestProblems({ entry_point: 'x' }));
    assert.deepEqual([unknownField.code, unknownField.severity], ['unreadField', 'warning']);
    assert.deepEqual(unknownField.args, ['entry_point', 'entrypoint']);
    assert.deepEqual(unknownField.fixes, [{ kind: 'removeValue', path: ['entry_point'] }]);
    const { problems } = parseManifest(
      JSON.stringify({ ...without, executable: 'x', build: { build: 'x', platforms: ['any'] } }),
    );
    assert.deepEqual(
      problems.filter(({ code }) => code === 'unknownField').map(({ args }) => args),
      [
        ['platforms', 'arch'],
        ['executable', 'entrypoint'],
      ],
    );
    assert.deepEqual(findManifestProblems({ owner: 'x' }), []);
  });

  it('identify a manifest with a misspelled module ID, and no other file', () => {
    const is = (fields: object): boolean =>
      isManifest('meta.json', parseManifest(JSON.stringify(fields)));
    assert.ok(is({ module_id: 'acme:w' }));
    assert.ok(is({ moduleId: 'acme:w', entrypoint: 'run' }));
    assert.ok(!is({ moduleId: 'acme:w' }));
    assert.ok(!is({ name: 'x', entrypoint: 'run' }));
  });

  it('begin without a byte order mark, which is reported', () => {
    const [problem] = parseManifest(`\uFEFF${JSON.stringify(WHOLE)}`).problems;
    assert.equal(problem?.code, 'byteOrderMark');
    assert.match(
      formatManifestDiagnostic(problem, englishLocalizer),
      /begins with a byte order mark/,
    );
  });

  it('are named once in a line of the command line', () => {
    const line = (diagnostic: ManifestDiagnostic): string =>
      formatDiagnosticLine(toReportedDiagnostic(diagnostic, englishLocalizer));
    const [missing] = checkManifest(
      parseManifest(JSON.stringify(WHOLE)).manifest ?? assert.fail(),
      {
        form: 'archive',
        entrypoint: { path: 'run', state: 'missing', platform: undefined, candidates: [] },
        firstRun: undefined,
      },
    );
    assert.ok(missing);
    assert.equal(line(missing), "error: entrypoint: the file run doesn't exist.");
    assert.equal(
      line(getOnlyProblem(findManifestProblems({ build: { build: 'x', path: '/out' } }))).split(
        'path: ',
      ).length,
      2,
    );
  });

  it('name a module by a valid ID', () => {
    assert.deepEqual(getOnlyProblem(findManifestProblems({ module_id: '' })).fixes, [
      { kind: 'create' },
    ]);
    for (const id of ['weather', 'acme:', ':weather', 'acme:a b', 'a:b:c', 'acme:wéther']) {
      assert.equal(findManifestProblems({ module_id: id })[0]?.code, 'moduleIdForm', id);
    }
    assert.deepEqual(
      findManifestProblems({
        module_id: '3f2c8d6e-7f0a-4c1b-9d2e-1a2b3c4d5e6f:weather',
        models: [],
      }),
      [],
    );
  });

  it('name an existing visibility', () => {
    const suggest = (visibility: string): string | undefined =>
      writtenBy(getOnlyProblem(findManifestProblems({ visibility })));
    assert.equal(suggest('Public'), 'public');
    assert.equal(suggest('privat'), 'private');
    assert.equal(suggest('public-unlisted'), 'public_unlisted');
    assert.equal(suggest('unlisted'), 'public_unlisted');
    assert.equal(getOnlyProblem(findManifestProblems({ visibility: 'everybody' })).fixes.length, 3);
  });

  it('name a URL that a browser can open', () => {
    assert.equal(
      writtenBy(getOnlyProblem(findManifestProblems({ url: 'example.com/w' }))),
      'https://example.com/w',
    );
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'weather', 'http//x']) {
      assert.equal(getOnlyProblem(findManifestProblems({ url })).code, 'urlForm', url);
    }
  });

  it('name platforms of the registry', () => {
    const suggest = (platform: string): string | undefined =>
      writtenBy(
        getOnlyProblem(findManifestProblems({ build: { ...WHOLE.build, arch: [platform] } })),
      );
    assert.equal(suggest('linux/x86_64'), 'linux/amd64');
    assert.equal(suggest('x86-64'), 'linux/amd64');
    assert.equal(suggest('aarch64'), 'linux/arm64');
    assert.equal(suggest('Linux/ARM64'), 'linux/arm64');
    assert.equal(suggest('linux-arm64'), 'linux/arm64');
    assert.equal(suggest('arm64/linux'), 'linux/arm64');
    assert.equal(suggest('macos/arm64'), 'darwin/arm64');
    assert.equal(suggest('linux/arm/v7'), 'linux/arm32v7');
    assert.equal(suggest('win32/x64'), 'windows/amd64');
    assert.equal(suggest('darwin'), 'darwin/any');
    assert.equal(suggest('linux/armd64'), 'linux/amd64');
    assert.equal(suggest('plan9'), undefined);
    const twice = { build: { ...WHOLE.build, arch: ['any', 'any'] } };
    assert.equal(getOnlyProblem(findManifestProblems(twice)).code, 'platformRepeated');
  });

  it('name models by triplets', () => {
    const withModel = (api: string, model: string): readonly ManifestDiagnostic[] =>
      findManifestProblems({ models: [{ api, model }] });
    const suggestApi = (api: string): string | undefined =>
      writtenBy(getOnlyProblem(withModel(api, 'acme:weather:station')));
    assert.equal(suggestApi('sensor'), 'rdk:component:sensor');
    assert.equal(suggestApi('component:sensor'), 'rdk:component:sensor');
    assert.equal(suggestApi('rdk.component.sensor'), 'rdk:component:sensor');
    assert.equal(suggestApi('visoin'), 'rdk:service:vision');
    assert.equal(suggestApi('service:generic'), 'rdk:service:generic');
    assert.equal(suggestApi('rdk:component:sensr'), 'rdk:component:sensor');
    assert.deepEqual(withModel('rdk:service:sensors', 'acme:weather:station'), []);
    assert.deepEqual(withModel('acme:component:sensr', 'acme:weather:station'), []);
    assert.equal(suggestApi('acme:component:wind gauge'), 'acme:component:wind-gauge');
    assert.equal(suggestApi(''), undefined);
    const suggestModel = (model: string): string | undefined =>
      writtenBy(getOnlyProblem(withModel('rdk:component:sensor', model)));
    assert.equal(suggestModel('station'), 'acme:weather:station');
    assert.equal(suggestModel('wind:station'), 'acme:wind:station');
    assert.equal(suggestModel('acme/weather/station'), 'acme:weather:station');
    assert.equal(suggestModel('a:b:c:d'), undefined);
  });

  it('name models of their own namespace, each once', () => {
    const model = { api: 'rdk:component:sensor', model: 'other:weather:station' };
    const problem = getOnlyProblem(findManifestProblems({ models: [model] }));
    assert.equal(problem.severity, 'warning');
    assert.equal(writtenBy(problem), 'acme:weather:station');
    const [own] = WHOLE.models;
    assert.equal(
      getOnlyProblem(findManifestProblems({ models: [own, own] })).code,
      'modelRepeated',
    );
  });

  it('name applications with characters that are valid in a URL', () => {
    const app = { name: 'board', type: 'multi_machine', entrypoint: 'index.html' };
    const of = (...applications: object[]): readonly string[] =>
      getCodes(findManifestProblems({ applications }));
    assert.deepEqual(of({ ...app, name: 'a b' }), ['appName']);
    assert.deepEqual(of(app, app), ['appNameRepeated']);
    assert.deepEqual(of({ ...app, type: 'single' }), ['appType']);
    assert.deepEqual(of({ ...app, entrypoint: '/index.html' }), ['pathAbsolute']);
  });
});

describe('paths of a module manifest', () => {
  const findCodes = (entrypoint: string): readonly string[] =>
    getCodes(findManifestProblems({ entrypoint }));

  it('are inside of the module', () => {
    for (const path of ['/bin/sh', 'C:\\main.exe', '\\\\host\\x', '~/main', 'file:///bin/sh']) {
      assert.ok(findCodes(path).includes('pathAbsolute'), path);
    }
    for (const path of ['../main', 'dist/../../main', '..', 'dist\\..\\..\\main']) {
      assert.ok(findCodes(path).includes('pathParent'), path);
    }
    assert.deepEqual(findCodes('dist/..main'), []);
  });

  it('have no line breaks, and end in a name', () => {
    assert.ok(findCodes('dist/main\nrm -rf /').includes('pathCharacters'));
    assert.ok(findCodes('main\u0000').includes('pathCharacters'));
    assert.ok(findCodes('x'.repeat(10_000)).includes('pathTooLong'));
    assert.ok(findCodes(`${'d/'.repeat(5_000)}main`).includes('pathTooLong'));
  });

  it('are names, even if they look like command lines', () => {
    for (const path of ['main; rm -rf /', 'main --fast', '$(reboot)', '`id`', 'a|b', 'a && b']) {
      const problem = getOnlyProblem(findManifestProblems({ entrypoint: path }));
      assert.equal(problem.code, 'pathCommandLine', path);
      assert.equal(problem.severity, 'warning');
    }
  });

  it('are written with slashes', () => {
    assert.equal(
      writtenBy(getOnlyProblem(findManifestProblems({ entrypoint: 'dist\\main' }))),
      'dist/main',
    );
  });

  it('prevent reading and sending other files', () => {
    const build = { ...WHOLE.build, path: '../../.ssh/id_rsa' };
    assert.equal(getOnlyProblem(findManifestProblems({ build })).code, 'pathParent');
    assert.equal(
      getOnlyProblem(findManifestProblems({ markdown_link: '/etc/passwd' })).code,
      'pathAbsolute',
    );
    assert.deepEqual(findManifestProblems({ markdown_link: 'https://example.com/README.md' }), []);
  });

  it('are required for the entrypoint, even of a module with only applications', () => {
    const { entrypoint, applications, ...rest } = WHOLE;
    assert.ok(entrypoint && applications);
    for (const manifest of [rest, { ...rest, applications }]) {
      const { problems } = parseManifest(JSON.stringify(manifest));
      assert.deepEqual(getCodes(problems), ['entrypointMissing']);
    }
  });
});

describe('messages about a module manifest', () => {
  it('are one line for any manifest', () => {
    const problem = getOnlyProblem(findManifestProblems({ module_id: 'a\nb\u202e[x](command:y)' }));
    const message = formatManifestDiagnostic(problem, englishLocalizer);
    assert.doesNotMatch(message, /[\n\u202e]|\]\(command:/);
    assert.match(message, /is not a valid module ID/);
  });
});
