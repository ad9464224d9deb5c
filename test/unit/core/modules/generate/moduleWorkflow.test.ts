import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { parse } from 'yaml';
import { fromRoot } from '../../../../../scripts/support/paths';
import { chunkFolder } from '../../../../../scripts/support/splitCommonJs';
import { parseCommandLine } from '../../../../../src/cli/commandLine';
import type { ModuleLanguage } from '../../../../../src/core/modules/generate/moduleApi';
import { moduleFiles } from '../../../../../src/core/modules/generate/moduleFiles';
import { parseManifest } from '../../../../../src/core/modules/manifest/parseManifest';
import { moduleApi } from '../../../../support/moduleApi';
import { readModuleTemplates } from '../../../../../scripts/support/moduleTemplates';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
}

interface Job {
  if?: string;
  needs?: string;
  'timeout-minutes'?: number;
  strategy: { matrix: { include: Record<string, string>[] } };
  steps: Step[];
}

interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<'build' | 'upload', Job>;
}

const PATH = '.github/workflows/module.yml';
const SECRET_OR_VARIABLE = /(?:secrets|vars)\.(\w+)/g;
const names = { namespace: 'acme', moduleName: 'weather', modelName: 'station' };
const ours = readFileSync(fromRoot('.github/workflows/release.yml'), 'utf8');

function generate(language: ModuleLanguage): ReadonlyMap<string, string> {
  const files = moduleFiles(
    { ...names, api: moduleApi('sensor'), language },
    readModuleTemplates(language),
  );
  return new Map(files.map(({ path, text }) => [path, text]));
}

for (const language of ['typescript', 'python'] as const) {
  describe(`the workflow of a module generated in ${language}`, () => {
    const files = generate(language);
    const text = files.get(PATH) ?? '';
    const { permissions, jobs } = parse(text) as Workflow;
    const { build, upload } = jobs;
    const { manifest } = parseManifest(files.get('meta.json') ?? '');

    it('follows the schema of workflows', async () => {
      const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
      const { context } = parseWorkflow(
        { name: PATH, content: text },
        new NoOperationTraceWriter(),
      );
      assert.deepEqual(context.errors.getErrors().map(String), []);
    });

    it('uses the same commits of actions as this repository', () => {
      const uses = [...text.matchAll(/uses: .*/g)].map(([line]) => line);
      assert(uses.length > 0);
      for (const line of uses) assert(ours.includes(line), line);
    });

    it('has read-only access to the repository, and limits the time of its jobs', () => {
      assert.deepEqual(permissions, { contents: 'read' });
      for (const job of [build, upload]) assert(job['timeout-minutes']);
    });

    it('builds and uploads for each platform of the manifest', () => {
      for (const { strategy } of [build, upload]) {
        const platforms = strategy.matrix.include.map(({ platform }) => platform);
        assert.deepEqual(platforms, manifest?.build.arch);
      }
      const archive = build.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'));
      assert.equal(archive?.with?.path, manifest?.build.path);
    });

    it('runs only scripts that the module contains', () => {
      const { scripts } = JSON.parse(files.get('package.json') ?? '{"scripts":{}}') as {
        scripts: Record<string, string>;
      };
      for (const { run = '' } of build.steps) {
        const [, script] = /^npm (?:run )?(\S+)/.exec(run) ?? [];
        const [, file] = /^\.\/(\S+)/.exec(run) ?? [];
        if (script !== undefined) assert(script === 'ci' || script in scripts, run);
        if (file !== undefined) assert(files.has(file), run);
      }
    });

    it('uploads tags with an existing command line', () => {
      assert.equal(upload.if, "github.ref_type == 'tag'");
      assert.equal(upload.needs, 'build');
      const [, line = ''] =
        /cli\.js" (module upload .*)/.exec(upload.steps.at(-1)?.run ?? '') ?? [];
      // Split the arguments as the shell of the job does.
      const args = line
        .replace('$PLATFORM', 'linux/arm64')
        .replace('${GITHUB_REF_NAME#v}', '1.2.0')
        .replaceAll('"', '')
        .split(' ');
      const command = parseCommandLine(args);
      assert(command.kind === 'upload');
      assert.deepEqual(
        [command.build, command.platform, command.version, command.force],
        [manifest?.build.path, 'linux/arm64', '1.2.0', false],
      );
    });

    it('unpacks the command line with the code that it shares with other programs', () => {
      const { run = '' } =
        upload.steps.find((step) => step.run?.includes('unzip')) ?? assert.fail('no unzip');
      const [, pattern = ''] = /unzip -q \S+ '?(\S+?)'? -d/.exec(run) ?? [];
      for (const path of ['cli.js', `${chunkFolder}/chunk-1A2B3C4D.js`]) {
        assert(matchesGlob(`extension/dist/${path}`, pattern.replace(/\*$/, '**')), path);
      }
    });

    it('has secrets only in the step that uploads', () => {
      const steps = [...build.steps, ...upload.steps];
      const withSecrets = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
      assert.deepEqual(withSecrets, [upload.steps.at(-1)]);
    });

    it('reads no secret or variable that the README does not describe', () => {
      const readme = files.get('README.md') ?? '';
      const settings = [...text.matchAll(SECRET_OR_VARIABLE)].map(([, name = '']) => name);
      assert.equal(new Set(settings).size, 5);
      for (const name of settings) assert(readme.includes(`| \`${name}\``), name);
    });
  });
}
