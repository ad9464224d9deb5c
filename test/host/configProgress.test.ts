import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ConfigState } from '../../src/core/model/contractExtensions';
import { organizationId, type PartId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { describeStage, formatSaveMessage } from '../../src/host/features/documents/configProgress';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { MemoryMachine } from '../support/memoryMachine';
import { TestSessions } from '../support/testSessions';

describe('the progress of a config', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let part: PartId;
  let software: MemoryMachine;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const { id } = await stores.locations.create(organization, 'Yard', undefined);
    const machine = await stores.machines.create(id, 'amr-04');
    part = (await stores.parts.list(machine))[0]?.id ?? assert.fail();
    software = await MemoryMachine.ofPart(fleet, part);
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const read = async (): Promise<ConfigState> => {
    const { configState } = await stores.parts.readContact(part);
    return configState ?? assert.fail('The service reports no state.');
  };

  const save = (configText: string) =>
    stores.parts.updateConfig(part, { name: 'main', configText });

  it('has a label and a message for each stage', async () => {
    const online = { status: 'online' } as const;
    const never = await read();
    assert.equal(describeStage(never).label, 'Config not fetched');
    const neverFetched = 'Saved. amr-04 has never fetched a config.';
    assert.equal(formatSaveMessage('amr-04', online, never), neverFetched);
    await software.start();
    assert.match(describeStage(await read()).meaning, /doesn't report which config it runs/);
    fleet.clock.advance(10_000);
    await software.fetchConfig();
    await software.reportApplied();
    await save('{"components": []}');
    const saved = await read();
    assert.equal(describeStage(saved).label, 'Config saved');
    assert.equal(
      formatSaveMessage('amr-04', online, saved).replaceAll(' ', ' '),
      'Saved. amr-04 runs the previous config; it checks in every 10 sec.',
    );
    assert.match(formatSaveMessage('amr-04', { status: 'offline' }, saved), /is offline/);
    await software.fetchConfig();
    const fetched = await read();
    assert.equal(describeStage(fetched).label, 'Config fetched');
    assert.match(describeStage(fetched).meaning, /hasn't reported that it runs it/);
    assert.equal(formatSaveMessage('amr-04', online, fetched), '');
    await software.reportApplied();
    const { icon, label } = describeStage(await read());
    assert.deepEqual([icon, label], ['check', 'Config applied']);
    assert.ok(new vscode.ThemeIcon(icon));
  });
});
