import assert from 'node:assert/strict';
import { DiskBuilds } from '../../../src/archives/diskBuilds';
import { englishLocalizer } from '../../../src/base/localizer';
import { EXIT_FAILED } from '../../../src/cli/report';
import { upload } from '../../../src/cli/upload';
import { canceled, FleetError } from '../../../src/core/api/errors';
import { organizationId } from '../../../src/core/model/ids';
import type { RegistryStore } from '../../../src/core/stores/registryStore';
import { TestFolder } from '../../support/archives';
import { type MemoryFleet, openMemoryFleet } from '../../support/memoryFleet';
import { TestSessions } from '../../support/testSessions';

describe('an interrupted module upload', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let registry: RegistryStore;
  let moduleId: string;
  let folder: TestFolder;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    ({ registry } = sessions.stores());
    const organization = organizationId(fleet.organizationId);
    moduleId = (await registry.createModule(organization, 'sonar')).id;
    folder = new TestFolder();
    folder.program('build/main.sh');
  });

  afterEach(async () => {
    folder[Symbol.dispose]();
    sessions.dispose();
    await fleet.close();
  });

  /** Runs an upload that fails; returns its message. */
  async function fail({ update = true } = {}): Promise<string> {
    const manifest = folder.file(
      'meta.json',
      JSON.stringify({
        module_id: moduleId,
        visibility: 'private',
        models: [{ api: 'rdk:component:sensor', model: 'acme:sonar:deep' }],
        entrypoint: 'main.sh',
        build: { path: 'build' },
      }),
    );
    const lines: string[] = [];
    const results: string[] = [];
    const exitCode = await upload(
      {
        kind: 'upload',
        manifest,
        isBuildNamed: false,
        platform: 'any',
        version: '1.0.0',
        update,
        platformTags: [],
        force: false,
        json: true,
        allowPlainHttp: false,
        authorityFiles: [],
        url: undefined,
        credentialsFile: undefined,
      },
      { result: (text) => results.push(text), say: (line) => lines.push(line) },
      {
        connect: () => Promise.resolve({ stores: sessions.stores(), dispose: () => undefined }),
        reader: new DiskBuilds(englishLocalizer),
      },
      new AbortController().signal,
    );
    assert.equal(exitCode, EXIT_FAILED);
    const { error } = JSON.parse(results.join()) as { error: { message: string } };
    assert.equal(lines.at(-1), `error: ${error.message}`);
    return error.message.replace(moduleId, 'MODULE');
  }

  const failWith = (error: FleetError) => () => Promise.reject(error);

  it('reports that nothing was changed before the first change', async () => {
    registry.get = failWith(canceled());
    assert.equal(
      await fail(),
      "Canceled. No version was uploaded. The module's metadata was not updated.",
    );
    assert.equal(await fail({ update: false }), 'Canceled. No version was uploaded.');
  });

  it('reports that the metadata might have been updated during the update', async () => {
    registry.updateModule = failWith(canceled());
    assert.equal(
      await fail(),
      "Canceled. No version was uploaded. The module's metadata might have been updated.",
    );
  });

  it('reports that the metadata was updated but the version is not registered', async () => {
    registry.uploadModule = failWith(canceled());
    assert.equal(
      await fail(),
      "Canceled. MODULE 1.0.0 is not registered for any. The module's metadata was updated.",
    );
  });

  it('reports that the version is registered if only the response was lost', async () => {
    const send = registry.uploadModule.bind(registry);
    registry.uploadModule = async (...call) => {
      await send(...call);
      throw new FleetError('unavailable', "The service doesn't respond");
    };
    assert.equal(
      await fail({ update: false }),
      "The service doesn't respond. MODULE 1.0.0 is registered for any.",
    );
  });

  it('reports that the version might be registered if the registry no longer responds', async () => {
    registry.uploadModule = () => {
      registry.get = failWith(new FleetError('unavailable', 'No response.'));
      return Promise.reject(canceled());
    };
    assert.equal(
      await fail(),
      "Canceled. MODULE 1.0.0 might be registered for any. Check the module page before you upload it again. The module's metadata was updated.",
    );
  });

  it('reports that the metadata was updated if the registry rejects the archive', async () => {
    registry.uploadModule = failWith(new FleetError('invalid', 'The archive is empty.'));
    assert.equal(await fail(), "The archive is empty. The module's metadata was updated.");
    registry.updateModule = failWith(new FleetError('permission', 'No permission.'));
    assert.equal(await fail(), 'No permission.');
  });
});
