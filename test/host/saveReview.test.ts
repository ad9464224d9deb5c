import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ReviewRequiredError, SaveCanceledError } from '../../src/core/documents/configSource';
import { englishLocalizer } from '../../src/base/localizer';
import type { DocumentSubject } from '../../src/core/documents/documentAddress';
import { formatSaveRisk } from '../../src/core/documents/formatSaveRisk';
import { fragmentId, organizationId, type PartId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { reviewSave } from '../../src/host/features/documents/saveReview';
import { documentUri } from '../../src/host/platform/documents/documentUris';
import type { SavePreview } from '../../src/manifest/contributions';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';
import { ScriptedPrompts } from './support/scriptedPrompts';

const ARM = '{"name": "arm", "type": "arm", "model": "fake"}';

describe('the review of a save', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let prompts: ScriptedPrompts;
  let part: PartId;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const plant = await stores.locations.create(
      organizationId(fleet.organizationId),
      'Plant',
      undefined,
    );
    const machine = await stores.machines.create(plant.id, 'rover');
    part = (await stores.parts.list(machine))[0]?.id ?? assert.fail();
    prompts = new ScriptedPrompts();
  });

  afterEach(async () => {
    prompts[Symbol.dispose]();
    sessions.dispose();
    await fleet.close();
  });

  const review = (
    subject: DocumentSubject,
    saved: string,
    text: string,
    preview: SavePreview = 'risky',
    isAutoSave = false,
  ): Promise<void> => {
    const address = { connectionId: sessions.connectionToFleet.id, subject };
    const uri: vscode.Uri = documentUri(address, ['My Fleet', 'rover']);
    const snapshot = { text: saved, version: undefined, name: 'rover' };
    return reviewSave(sessions, { uri, address, saved: snapshot, text, isAutoSave }, preview);
  };

  it('prompts before a save that removes a resource, which the user can cancel', async () => {
    const saved = `{"components": [${ARM}]}`;
    const subject = { type: 'partConfig', id: part } as const;
    const canceled = review(subject, saved, '{"components": []}');
    const prompt = await prompts.next('It removes 1 resource: "arm".');
    assert.deepEqual(prompt.choices(), ['Save', 'Show Changes']);
    prompt.leave();
    await assert.rejects(canceled, SaveCanceledError);
    const agreed = review(subject, saved, '{"components": []}');
    await prompts.confirm('It removes 1 resource: "arm".', 'Save');
    await agreed;
  });

  it('does not prompt for other saves, nor if a resource moves to a fragment', async () => {
    const saved = `{"components": [${ARM}]}`;
    const subject = { type: 'partConfig', id: part } as const;
    await review(subject, saved, saved.replace('fake', 'simulated'));
    const organization = organizationId(fleet.organizationId);
    const { id } = await stores.fragments.create(organization, 'arms', saved);
    await review(subject, saved, `{"fragments": [{"id": "${id}"}]}`);
    const always = review(subject, saved, saved.replace('fake', 'simulated'), 'always');
    await prompts.confirm('removes no resources', 'Save');
    await always;
  });

  it('rejects a risky Auto Save with the summary, and allows other saves', async () => {
    const saved = `{"components": [${ARM}]}`;
    const subject = { type: 'partConfig', id: part } as const;
    await review(subject, saved, saved.replace('fake', 'simulated'), 'risky', true);
    await assert.rejects(review(subject, saved, '{"components": []}', 'risky', true), (error) => {
      assert.ok(error instanceof ReviewRequiredError);
      assert.equal(error.summary, 'It removes 1 resource: "arm".');
      return true;
    });
    const harmless = review(subject, saved, saved.replace('fake', 'other'), 'always', true);
    await assert.rejects(harmless, ReviewRequiredError);
  });

  it('reports how many parts use a fragment', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id } = await stores.fragments.create(organization, 'arms', '{}');
    const subject = { type: 'fragmentConfig', id } as const;
    await review(subject, '{}', '{"components": []}');
    const configText = `{"fragments": [{"id": "${id}"}]}`;
    await stores.parts.updateConfig(part, { name: 'main', configText });
    const pending = review(subject, '{}', '{"components": []}');
    await prompts.confirm('1 part uses this fragment and gets the change.', 'Save');
    await pending;
  });

  it('rejects an Auto Save with a new problem that only the fragments show', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id } = await stores.fragments.create(organization, 'arms', `{"components": [${ARM}]}`);
    const subject = { type: 'partConfig', id: part } as const;
    const toConfig = (parent: string): string =>
      JSON.stringify({
        fragments: [{ id }],
        components: [{ name: 'cam', type: 'camera', model: 'fake', depends_on: [parent] }],
      });
    await review(subject, toConfig('arm'), `${toConfig('arm')} `, 'risky', true);
    await assert.rejects(
      review(subject, toConfig('arm'), toConfig('wrist'), 'risky', true),
      (error) => {
        assert.ok(error instanceof ReviewRequiredError);
        assert.match(error.summary, /no component or service named "wrist"/);
        return true;
      },
    );
    const unknown = '{"fragments": ["0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a"]}';
    await assert.rejects(review(subject, '{}', unknown, 'risky', true), ReviewRequiredError);
  });

  it('rejects an Auto Save of a fragment if the number of its parts is unknown', async () => {
    const id = fragmentId('0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a');
    const pending = review(
      { type: 'fragmentConfig', id },
      '{}',
      '{"components": []}',
      'risky',
      true,
    );
    await assert.rejects(pending, (error) => {
      assert.ok(error instanceof ReviewRequiredError);
      assert.equal(error.summary, 'The number of parts that use this fragment is unknown.');
      return true;
    });
  });

  it('lists at most ten names, and the first problem', () => {
    const removed = Array.from({ length: 12 }, (_, index) => `arm-${String(index)}`);
    const renamed = [{ from: 'cam', to: 'eye' }];
    const newProblems = ['One.', 'Two.'];
    const text = formatSaveRisk({ removed, renamed, newProblems, partCount: 2 }, englishLocalizer);
    assert.deepEqual(text.split('\n'), [
      'It removes 12 resources: "arm-0", "arm-1", "arm-2", "arm-3", "arm-4", "arm-5", "arm-6", "arm-7", "arm-8", "arm-9", and others.',
      'It renames 1 resource: "cam" → "eye".',
      '2 parts use this fragment and get the change.',
      'It adds 2 problems. The first one is: One.',
    ]);
  });
});
