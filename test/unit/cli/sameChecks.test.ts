import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { ArchiveFacts, examineModule } from '../../../src/archives/examineModule';
import { DiskBuilds } from '../../../src/archives/diskBuilds';
import type { UploadCommand } from '../../../src/cli/commandLine';
import { EXIT_DONE, EXIT_UNFIT } from '../../../src/cli/report';
import { upload } from '../../../src/cli/upload';
import { validate } from '../../../src/cli/validate';
import { organizationId } from '../../../src/core/model/ids';
import { parseManifest } from '../../../src/core/modules/manifest/parseManifest';
import { englishLocalizer } from '../../../src/base/localizer';
import { type MemoryFleet, openMemoryFleet } from '../../support/memoryFleet';
import { TestSessions } from '../../support/testSessions';
import { TestFolder } from '../../support/archives';

const { signal } = new AbortController();
const MODEL = { api: 'rdk:component:sensor', model: 'acme:sonar:deep' };
const APP = { name: 'panel', type: 'single_machine', entrypoint: 'index.html' };

/** A mistake: fields that make a manifest invalid, and files to add to its folder. */
interface Mistake {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
}

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a description that is missing': { fields: { markdown_link: 'README.md' } },
  'a description of a model that is missing': {
    fields: { models: [{ ...MODEL, markdown_link: 'deep.md' }] },
  },
  'a missing heading': {
    fields: { markdown_link: 'README.md#deep' },
    files: { 'README.md': '# Sonar' },
  },
  'a link to only a heading': { fields: { markdown_link: '#deep' } },
  'a description that is a folder': {
    fields: { markdown_link: 'docs' },
    files: { 'docs/README.md': '# Sonar' },
  },
  'a description that is too long': {
    fields: { markdown_link: 'README.md' },
    files: { 'README.md': 'x'.repeat(1_000_001) },
  },
  'a description outside of the folder': { fields: { markdown_link: '../README.md' } },
  'a description at an absolute path': { fields: { markdown_link: '/etc/hostname' } },
  'no entrypoint': { fields: { entrypoint: '' } },
  'no entrypoint but an application': { fields: { entrypoint: '', applications: [APP] } },
  'a missing entrypoint': { fields: { entrypoint: 'start.sh' } },
  'an entrypoint outside of the build': { fields: { entrypoint: '../meta.json' } },
  'a model that is not a triplet': { fields: { models: [{ ...MODEL, model: 'deep' }] } },
  'an API that is not a triplet': { fields: { models: [{ ...MODEL, api: 'sensor' }] } },
  'two applications with one name': { fields: { applications: [APP, APP] } },
  'an unknown application type': { fields: { applications: [{ ...APP, type: 'desktop' }] } },
  'an application outside of the module': {
    fields: { applications: [{ ...APP, entrypoint: '../index.html' }] },
  },
  'a URL without a scheme': { fields: { url: 'example.com' } },
  'an unknown visibility': { fields: { visibility: 'everyone' } },
};

const CORRECT: Readonly<Record<string, Mistake>> = {
  'a description with a heading': {
    fields: { markdown_link: 'README.md#deep' },
    files: { 'README.md': '# Sonar\n\n## Deep\n\nMeasures depth.' },
  },
  'a description at a URL': { fields: { markdown_link: 'https://example.com/README.md' } },
  'an application next to an entrypoint': { fields: { applications: [APP] } },
};

describe('module validate, module upload, and the editor', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let moduleId: string;
  let folder: TestFolder;

  before(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    const organization = organizationId(fleet.organizationId);
    moduleId = (await sessions.stores().registry.createModule(organization, 'sonar')).id;
  });

  after(async () => {
    sessions.dispose();
    await fleet.close();
  });

  beforeEach(() => {
    folder = new TestFolder();
    folder.program('build/main.sh');
    folder.file('build/index.html');
  });

  afterEach(() => {
    folder[Symbol.dispose]();
  });

  const manifestWith = ({ fields, files = {} }: Mistake): string => {
    for (const [path, content] of Object.entries(files)) folder.file(path, content);
    const manifest = {
      module_id: moduleId,
      visibility: 'private',
      models: [MODEL],
      entrypoint: 'main.sh',
      build: { path: 'build' },
      ...fields,
    };
    return folder.file('meta.json', JSON.stringify(manifest));
  };

  const silent = { result: () => undefined, say: () => undefined };

  function runValidate(manifest: string): Promise<number> {
    const command = { manifest, isBuildNamed: false, platform: 'any', json: true } as const;
    return validate(
      { kind: 'validate', ...command },
      silent,
      new DiskBuilds(englishLocalizer),
      signal,
    );
  }

  function runUpload(manifest: string, version: string, { update = true } = {}): Promise<number> {
    const connect = () => {
      return Promise.resolve({ stores: sessions.stores(), dispose: () => undefined });
    };
    const command: UploadCommand = {
      kind: 'upload',
      manifest,
      isBuildNamed: false,
      platform: 'any',
      version,
      update,
      platformTags: [],
      force: false,
      json: true,
      allowPlainHttp: false,
      authorityFiles: [],
      url: undefined,
      credentialsFile: undefined,
    };
    const context = { connect, reader: new DiskBuilds(englishLocalizer) };
    return upload(command, silent, context, signal);
  }

  async function hasEditorErrors(text: string): Promise<boolean> {
    const { manifest, problems } = parseManifest(text);
    if (!manifest) return true;
    const archives = new ArchiveFacts();
    const options = { isThorough: true, signal, archives };
    const { named, contents = [] } = await examineModule(folder.path, manifest, options);
    return [...problems, ...named, ...contents].some(({ severity }) => severity === 'error');
  }

  for (const [name, mistake] of Object.entries(MISTAKES)) {
    it(`all reject ${name}`, async () => {
      const path = manifestWith(mistake);
      const text = JSON.stringify({ ...mistake.fields });
      assert.equal(await runValidate(path), EXIT_UNFIT, text);
      assert.equal(await runUpload(path, '1.0.0'), EXIT_UNFIT, text);
      assert.ok(await hasEditorErrors(await readFile(path, 'utf8')), text);
    });
  }

  for (const [index, [name, correct]] of Object.entries(CORRECT).entries()) {
    it(`all accept ${name}`, async () => {
      const path = manifestWith(correct);
      assert.equal(await runValidate(path), EXIT_DONE);
      assert.equal(await runUpload(path, `2.0.${String(index)}`), EXIT_DONE);
      assert.equal(await hasEditorErrors(await readFile(path, 'utf8')), false);
    });
  }

  it('require no description when the registry entry is not updated', async () => {
    const path = manifestWith({ fields: { markdown_link: 'README.md' } });
    assert.equal(await runUpload(path, '3.0.0', { update: false }), EXIT_DONE);
  });
});
