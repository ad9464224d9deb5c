import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { parseManifest } from '../../../../../src/core/modules/manifest/parseManifest';
import { MODULE_APIS } from '../../../../../src/core/modules/generate/moduleApi';
import { moduleFiles } from '../../../../../src/core/modules/generate/moduleFiles';
import { moduleApi } from '../../../../support/moduleApi';
import { readModuleTemplates } from '../../../../../scripts/support/moduleTemplates';

const NAMES = { namespace: 'acme', moduleName: 'weather', modelName: 'station' };

describe('moduleFiles', () => {
  it('replaces all variables, and contains no file of another API', () => {
    for (const api of MODULE_APIS) {
      for (const language of api.languages) {
        const files = moduleFiles({ ...NAMES, api, language }, readModuleTemplates(language));
        for (const { path, text } of files) {
          assert.doesNotMatch(text, /(?<!\$)\{\{/, path);
          assert.doesNotMatch(path, /tmpl|MODEL|DOT|\.\./);
        }
        assert.ok(files.some(({ path }) => path === '.gitignore'));
        const models = files.filter(({ path }) => /^src\/station_?\w+\.(ts|py)$/i.test(path));
        assert.equal(models.length, 1, `${language} ${api.key}`);
      }
    }
  });

  it('describes the model with text that is valid for the proposed name too', () => {
    const api = moduleApi('sensor');
    const names = { ...NAMES, modelName: 'sensor' };
    const files = moduleFiles({ ...names, api, language: 'python' }, readModuleTemplates('python'));
    const manifest = files.find(({ path }) => path === 'meta.json')?.text ?? '';
    assert.match(manifest, /"description": "The sensor of weather\."/);
    assert.match(manifest, /"short_description": "The sensor of weather\."/);
  });

  it('includes only the declarations that the API needs', () => {
    const api = moduleApi('vision');
    const files = moduleFiles(
      { ...NAMES, api, language: 'typescript' },
      readModuleTemplates('typescript'),
    );
    const protos = files.map(({ path }) => path).filter((path) => path.startsWith('proto/'));
    assert.deepEqual(protos, [
      'proto/app/v1/robot.proto',
      'proto/common/v1/common.proto',
      'proto/component/camera/v1/camera.proto',
      'proto/grpc/reflection/v1/reflection.proto',
      'proto/grpc/reflection/v1alpha/reflection.proto',
      'proto/module/v1/module.proto',
      'proto/robot/v1/robot.proto',
      'proto/service/vision/v1/vision.proto',
    ]);
  });

  it('imports only existing or generated files', () => {
    for (const api of MODULE_APIS) {
      const files = moduleFiles(
        { ...NAMES, api, language: 'typescript' },
        readModuleTemplates('typescript'),
      );
      const paths = new Set(files.map(({ path }) => path));
      for (const { path, text } of files.filter((file) => file.path.endsWith('.ts'))) {
        for (const [, imported = ''] of text.matchAll(/from "(\.[^"]+)"/g)) {
          const target = posix.join(posix.dirname(path), imported);
          const proto = target.replace(/^src\/gen\/(.*)_pb$/, 'proto/$1.proto');
          assert.ok(
            paths.has(`${target}.ts`) || paths.has(proto),
            `${api.key}: ${path}: ${target}`,
          );
        }
      }
    }
  });

  it('includes a valid manifest', () => {
    for (const api of MODULE_APIS) {
      for (const language of api.languages) {
        const files = moduleFiles({ ...NAMES, api, language }, readModuleTemplates(language));
        const text = files.find(({ path }) => path === 'meta.json')?.text ?? '';
        const { manifest } = parseManifest(text);
        assert.ok(manifest);
        assert.equal(manifest.moduleId, 'acme:weather');
        assert.deepEqual(
          manifest.models.map(({ api: triplet, model }) => [triplet, model]),
          [[api.triplet, 'acme:weather:station']],
        );
        const program = files.find(({ path }) => path === manifest.entrypoint);
        assert.equal(program?.isExecutable, true, 'the entrypoint is there and can be run');
      }
    }
  });

  it('quotes names with any characters', () => {
    const hostile = 'x"; import("fs") //\n\'\u2028{{model}}`${1}';
    const api = moduleApi('sensor');
    for (const language of api.languages) {
      const files = moduleFiles(
        { ...NAMES, modelName: hostile, api, language },
        readModuleTemplates(language),
      );
      const model = files.find(({ path }) => /^src\/.*sensor\.(ts|py)$/i.test(path));
      assert.ok(model);
      const quoted = JSON.stringify(`acme:weather:${hostile}`);
      assert.equal(model.text.split(quoted).length, 2);
      assert.doesNotMatch(model.text.replace(quoted, ''), /import\("fs"\)/);
      assert.match(model.path, /^src\/[A-Za-z0-9_]+\.(ts|py)$/);
    }
  });
});
