import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { organizationId } from '../../src/core/model/ids';
import type { DatasetTarget } from '../../src/core/model/resourceTarget';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { ReadinessFiles, readinessUri } from '../../src/host/features/datasets/readinessFiles';
import { CapturingPart } from '../support/capturingPart';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';

describe('the readiness of datasets in a real extension host', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let files: ReadinessFiles;
  let target: DatasetTarget;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    files = new ReadinessFiles(sessions, fleet.clock);
    const organization = organizationId(fleet.organizationId);
    target = {
      kind: 'dataset',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organization,
      datasetId: await stores.datasets.create(organization, 'pallets'),
      name: 'pallets',
    };
  });

  afterEach(async () => {
    files.dispose();
    sessions.dispose();
    await fleet.close();
  });

  const textAt = async (uri: vscode.Uri): Promise<string> =>
    new TextDecoder().decode(await files.readFile(uri));

  it('is computed once for anyone who opens the document', async () => {
    const uri = readinessUri(target);
    fleet.calls.clear();
    const [stat, text] = await Promise.all([files.stat(uri), textAt(uri)]);
    assert.match(text, /^Is the dataset "pallets" ready for training\?\nOrganization "My Fleet"/);
    assert.equal(stat.size, Buffer.byteLength(text));
    assert.equal(stat.permissions, vscode.FilePermission.Readonly);
    assert.equal(fleet.calls.get('ListDatasetsByOrganizationID'), 1);
  });

  it('remains unchanged until it is checked again', async () => {
    const uri = readinessUri(target);
    assert.match(await textAt(uri), /^0 items/m);
    const part = await CapturingPart.create(fleet, stores);
    await stores.binaryData.addToDataset(target.datasetId, await part.captureMany(2));
    assert.match(await textAt(uri), /^0 items/m);
    const changed: string[] = [];
    files.onDidChangeFile((events) => changed.push(...events.map((event) => event.uri.query)));
    fleet.clock.advance(1_000);
    const before = await files.stat(uri);
    await files.checkAgain(uri);
    assert.match(await textAt(uri), /^2 items/m);
    assert.equal((await files.stat(uri)).mtime - before.mtime, 1_000);
    assert.deepEqual(changed, [uri.query]);
  });

  it('reports why it cannot be computed, and retries', async () => {
    const uri = readinessUri(target);
    sessions.signOut();
    await assert.rejects(files.stat(uri), /You are signed out/);
    sessions.signIn();
    assert.match(await textAt(uri), /pallets/);
    await assert.rejects(files.stat(uri.with({ query: '' })), { code: 'FileNotFound' });
  });
});
