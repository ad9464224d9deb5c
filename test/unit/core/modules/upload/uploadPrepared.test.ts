import assert from 'node:assert/strict';
import { organizationId } from '../../../../../src/core/model/ids';
import type { BuildFacts } from '../../../../../src/core/modules/buildFacts';
import { parseManifest } from '../../../../../src/core/modules/manifest/parseManifest';
import type { Platform } from '../../../../../src/core/modules/platforms';
import {
  type PreparedUploadResult,
  uploadPrepared,
} from '../../../../../src/core/modules/upload/uploadPrepared';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

const FACTS: BuildFacts = {
  form: 'archive',
  entries: 1,
  bytes: 1,
  archiveBytes: 1,
  entrypoint: undefined,
  firstRun: undefined,
  problems: [],
};

describe('uploadPrepared for an existing version', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let moduleId: string;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    const organization = organizationId(fleet.organizationId);
    moduleId = (await sessions.stores().registry.createModule(organization, 'sonar')).id;
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  function upload(
    platform: Platform,
    content: string,
    skipsIdentical = true,
  ): Promise<PreparedUploadResult> {
    const { manifest } = parseManifest(JSON.stringify({ module_id: moduleId, entrypoint: 'main' }));
    assert.ok(manifest);
    async function* read(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(content));
    }
    return uploadPrepared(
      {
        manifest,
        buildPath: '/a.tar.gz',
        facts: FACTS,
        platform,
        version: '1.0.0',
        platformTags: [],
        update: false,
        skipsIdentical,
      },
      {
        registry: sessions.stores().registry,
        reader: { inspect: () => Promise.resolve(FACTS), read },
        readSibling: () => Promise.resolve(''),
        say: () => undefined,
        signal: new AbortController().signal,
      },
    );
  }

  const countUploads = (): number => fleet.calls.get('UploadModuleFile') ?? 0;

  it('skips an identical archive and adds archives for other platforms', async () => {
    const first = await upload('linux/amd64', 'one');
    assert.deepEqual([first.bytes, first.isSkipped], [3, false]);
    const again = await upload('linux/amd64', 'one');
    assert.deepEqual([again.bytes, again.isSkipped, countUploads()], [0, true, 1]);
    const next = await upload('linux/arm64', 'one');
    assert.deepEqual([next.isSkipped, countUploads()], [false, 2]);
  });

  it('rejects a different archive, and an identical one if it must not be skipped', async () => {
    await upload('linux/amd64', 'one');
    const taken = { kind: 'invalid', message: /already has an archive for linux\/amd64/ };
    await assert.rejects(upload('linux/amd64', 'two'), taken);
    await assert.rejects(upload('linux/amd64', 'one', false), taken);
    assert.equal(countUploads(), 1);
  });
});
