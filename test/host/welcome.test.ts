import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Connection } from '../../src/core/model/connection';
import { organizationId } from '../../src/core/model/ids';
import type { MachineTarget } from '../../src/core/model/resourceTarget';
import { ConnectionStore } from '../../src/core/sessions/connectionStore';
import { WelcomeFeature } from '../../src/host/features/welcome/welcome.feature';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { MemoryKeyValue, MemorySecrets } from '../support/memoryPorts';
import { RecordingLogger } from '../support/recordingLogger';
import { silentLogger } from '../support/silentLogger';

async function openWalkthroughs(value: boolean): Promise<void> {
  await vscode.workspace
    .getConfiguration('workbench.welcomePage.walkthroughs')
    .update('openOnInstall', value, vscode.ConfigurationTarget.Global);
}

describe('WelcomeFeature.introduce', () => {
  let fleet: MemoryFleet;
  let store: ConnectionStore;
  let storage: MemoryKeyValue;
  let logger: RecordingLogger;
  let reveal: (machine: MachineTarget) => Promise<void>;
  let feature: WelcomeFeature;

  // The test window turns walkthroughs off.
  before(() => openWalkthroughs(true));

  after(() => openWalkthroughs(false));

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    store = new ConnectionStore({
      secrets: new MemorySecrets(),
      global: new MemoryKeyValue(),
      workspace: new MemoryKeyValue(),
      open: fleet.open,
      logger: silentLogger,
    });
    const { id } = await signIn();
    const { locations, machines } = store.stores(id);
    const owner = organizationId(fleet.organizationId);
    const hall = await locations.create(owner, 'Hall', undefined);
    await machines.create(hall.id, 'arm');
    storage = new MemoryKeyValue();
    logger = new RecordingLogger();
    reveal = () => Promise.resolve();
    feature = new WelcomeFeature({
      sessions: store,
      storage,
      logger,
      reveal: (machine) => reveal(machine),
    });
  });

  afterEach(async () => {
    feature.dispose();
    store.dispose();
    await fleet.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  function signIn(): Promise<Connection> {
    const { id: keyId, secret: key } = fleet.key;
    return store.signIn({ baseUrl: fleet.baseUrl, keyId, key, label: 'Test', kind: 'cloud' });
  }

  it('shows a machine and the walkthrough for the first connection only', async () => {
    const revealed: string[] = [];
    reveal = ({ name }) => {
      revealed.push(name);
      return Promise.resolve();
    };
    const connection = await feature.introduce(signIn);
    assert.equal(connection.id, store.active?.id);
    assert.deepEqual([...storage.values], [['walkthroughShown', true]]);
    await feature.introduce(signIn);
    assert.deepEqual(revealed, ['arm']);
    assert.deepEqual(logger.lines, []);
  });

  it('returns the connection if the walkthrough fails, and shows it for the next one', async () => {
    reveal = () => Promise.reject(new Error('no such element'));
    const connection = await feature.introduce(signIn);
    assert.equal(connection.id, store.active?.id);
    assert.deepEqual(
      logger.lines.map(({ level, fields }) => [level, fields.reason]),
      [['warn', 'Error: no such element']],
    );
    assert.deepEqual(storage.keys(), []);
    reveal = () => Promise.resolve();
    await feature.introduce(signIn);
    assert.deepEqual(storage.keys(), ['walkthroughShown']);
  });

  it('fails if the connection fails', async () => {
    await assert.rejects(
      feature.introduce(() => Promise.reject(new Error('refused'))),
      /refused/,
    );
    assert.deepEqual(storage.keys(), []);
    assert.deepEqual(logger.lines, []);
  });
});
