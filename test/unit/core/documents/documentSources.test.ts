import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { BaseArchive, SaveConflictError } from '../../../../src/core/documents/configSource';
import type { DocumentSubject } from '../../../../src/core/documents/documentAddress';
import { DocumentFile } from '../../../../src/core/documents/documentFile';
import {
  createConfigSource,
  createHistorySource,
} from '../../../../src/core/documents/documentSources';
import { findResourcePath } from '../../../../src/core/documents/documentResource';
import { findReplacedState, listRevisions } from '../../../../src/core/documents/revisionList';
import { type MachineId, organizationId, type PartId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { MemoryKeyValue } from '../../../support/memoryPorts';
import { TestSessions } from '../../../support/testSessions';
import { ScriptedEditor } from './support/scriptedEditor';

const RAW = '{ "z": 9007199254740993,\n  "a": [1.50, "\\u00e9", "\\ud800"] }';

describe('documents over the fleet service', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let machine: MachineId;
  let part: PartId;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    machine = await stores.machines.create(plant.id, 'rover');
    const [main] = await stores.parts.list(machine);
    assert.ok(main);
    part = main.id;
    fleet.calls.clear();
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  async function edit(subject: DocumentSubject): Promise<ScriptedEditor> {
    const source = createConfigSource(stores, subject);
    const archive = new BaseArchive(new MemoryKeyValue());
    return new ScriptedEditor(
      new DocumentFile('fleetwright://x', source, archive, fleet.clock),
    ).open();
  }

  it('preserve the config of a part byte for byte, with two calls per save', async () => {
    const editor = await edit({ type: 'partConfig', id: part });
    editor.edit(() => RAW);
    fleet.calls.clear();
    await editor.save();
    assert.deepEqual(
      [...fleet.calls],
      [
        ['GetRobotPart', 1],
        ['UpdateRobotPart', 1],
      ],
    );
    assert.equal((await stores.parts.get(part, { fresh: true })).configText, RAW);
    fleet.calls.clear();
    await editor.save();
    await editor.waitUntilIdle();
    assert.deepEqual([...fleet.calls], [['GetRobotPart', 1]]);
  });

  it('detect a change of the same length by another client', async () => {
    const editor = await edit({ type: 'partConfig', id: part });
    editor.edit(() => '{"rpm": 100}');
    await editor.save();
    const elsewhere = new TestSessions(fleet);
    const { name } = await elsewhere.stores().parts.get(part);
    await elsewhere.stores().parts.updateConfig(part, { name, configText: '{"rpm": 200}' });
    editor.edit(() => '{"rpm": 300}');
    await assert.rejects(editor.save(), SaveConflictError);
    elsewhere.dispose();
  });

  it('show a change by this window in other editors of the part', async () => {
    const editor = await edit({ type: 'partConfig', id: part });
    const { name } = await stores.parts.get(part);
    await stores.parts.updateConfig(part, { name, configText: '{\n  "rpm": 1\n}' });
    await new Promise((resolve) => setTimeout(resolve));
    await editor.waitUntilIdle();
    assert.equal(editor.text, '{\n  "rpm": 1\n}');
  });

  it('are read again after the next sign-in', async () => {
    const subject = { type: 'organizationMetadata', id: fleet.organizationId } as const;
    const organization = organizationId(subject.id);
    const source = createConfigSource(stores, { ...subject, id: organization });
    let changes = 0;
    const following = source.onDidChange(() => (changes += 1));
    sessions.signOut();
    await assert.rejects(source.read(), { kind: 'unauthenticated', action: 'signIn' });
    assert.equal(changes, 0);
    sessions.signIn();
    assert.equal(changes, 1);
    assert.equal((await source.read()).text, '{}');
    await stores.metadata.update('organization', organization, { a: 1 });
    assert.equal(changes, 2);
    following.dispose();
    sessions.signOut();
    sessions.signIn();
    assert.equal(changes, 2);
  });

  it('save a fragment under its latest name', async () => {
    const organization = organizationId(fleet.organizationId);
    const fragment = await stores.fragments.create(organization, 'base');
    const editor = await edit({ type: 'fragmentConfig', id: fragment.id });
    await stores.fragments.rename(fragment.id, 'wheels');
    editor.edit(() => '{"b": 1, "a": {"$variable": {"name": "speed"}}}');
    await editor.save();
    const saved = await stores.fragments.get(fragment.id, { fresh: true });
    assert.equal(saved.name, 'wheels');
    assert.deepEqual(JSON.parse(saved.configText), { b: 1, a: { $variable: { name: 'speed' } } });
  });

  it('save metadata of every kind of resource', async () => {
    const { locationId } = await stores.machines.get(machine);
    const subjects: DocumentSubject[] = [
      { type: 'organizationMetadata', id: organizationId(fleet.organizationId) },
      { type: 'locationMetadata', id: locationId },
      { type: 'machineMetadata', id: machine },
      { type: 'partMetadata', id: part },
    ];
    for (const subject of subjects) {
      const editor = await edit(subject);
      assert.equal(editor.text, '{}', subject.type);
      editor.edit(() => `{"of": "${subject.type}"}`);
      await editor.save();
      assert.deepEqual(JSON.parse((await edit(subject)).text), { of: subject.type });
      assert.equal(createHistorySource(stores, subject), undefined);
    }
  });

  it('list the revisions of a part with their editors, and read each again', async () => {
    const subject = { type: 'partConfig', id: part } as const;
    const editor = await edit(subject);
    for (const rpm of [1, 2, 3]) {
      editor.edit(() => `{"rpm": ${rpm}}`);
      await editor.save();
      fleet.clock.advance(1_000);
    }
    const history = createHistorySource(stores, subject);
    assert.ok(history);
    const [current, page] = await Promise.all([
      createConfigSource(stores, subject).read(),
      history({}),
    ]);
    const revisions = listRevisions(current, page.items, page.nextPageToken === '');
    assert.deepEqual(
      revisions.map(({ text }) => text),
      ['{"rpm": 3}', '{"rpm": 2}', '{"rpm": 1}', '{}'],
    );
    assert.equal(revisions[0]?.editor?.kind, 'apiKey');
    for (const { key, text } of revisions.slice(1)) {
      assert.ok(key !== 'current');
      assert.equal((await findReplacedState(history, key))?.configText, text);
    }
  });

  it('include the names of their resource without reading lists', async () => {
    stores.refresh();
    fleet.calls.clear();
    assert.deepEqual(await findResourcePath(stores, { type: 'partConfig', id: part }), {
      organization: 'My Fleet',
      location: 'Plant',
      machine: 'rover',
      name: 'rover-main',
    });
    assert.deepEqual(
      [fleet.calls.get('GetLocation'), fleet.calls.has('ListLocations')],
      [1, false],
    );
    const fragment = await stores.fragments.create(organizationId(fleet.organizationId), 'base');
    const path = await findResourcePath(stores, { type: 'fragmentConfig', id: fragment.id });
    assert.deepEqual([path.organization, path.name], ['My Fleet', 'base']);
  });

  it('fail with a specific kind of error', async () => {
    const { machineId } = await stores.parts.get(part);
    const editor = await edit({ type: 'partConfig', id: part });
    editor.edit(() => '{"rpm": 1}');
    const second = await stores.parts.create(machineId, 'second');
    await stores.parts.delete({ id: second, machineId });
    const gone = createConfigSource(stores, { type: 'partConfig', id: second });
    await assert.rejects(
      gone.read(),
      (error) => error instanceof FleetError && error.kind === 'notFound',
    );
  });
});
