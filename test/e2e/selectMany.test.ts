import assert from 'node:assert/strict';
import { connectPublicClient } from '../publicClient/publicClient';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { mustRestart } from './support/machineCalls';
import { until } from './support/until';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const line = 'Line 3';
/** The rest of the line stays. */
const other = 'palletizer-3';
const selected = ['infeed-conveyor-3', 'label-inspection-3'] as const;

describe('working on all that is selected', () => {
  let journey: JourneyHost;
  let client: PublicClient;

  before(async () => {
    journey = await startJourney();
    client = await connectPublicClient(journey.service.credentials);
    const { fleet } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand('Gothenburg Plant', 'Palletizing Hall', line);
  });

  afterEach(async function () {
    await journey.pictureOfFailure(this);
  });

  after(async () => {
    await journey.close();
  });

  async function machines() {
    const { appClient } = client;
    const [organization] = await appClient.listOrganizations();
    assert.ok(organization);
    const locations = await appClient.listLocations(organization.id);
    const location = locations.find(({ name }) => name === line);
    assert.ok(location);
    return appClient.listRobots(location.id);
  }

  /** The machines of the line that are asked to restart, by name, once they are as many. */
  async function restarting(count: number): Promise<string[]> {
    const found = new Set<string>();
    await until(`${count} machines are to restart`, async () => {
      for (const { id: machineId, name } of await machines()) {
        for (const { id, secrets } of await client.appClient.getRobotParts(machineId)) {
          const [first] = secrets;
          assert.ok(first);
          const part = { id, secret: first.secret };
          if (await mustRestart(journey.service.url, part)) found.add(name);
        }
      }
      return found.size >= count;
    });
    return [...found].toSorted();
  }

  it('sets one metadata value on several machines, once the value is JSON', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    await fleet.select(...selected);
    await fleet.menu(selected[0], 'Set Metadata Value');
    await quickInput.answer('cell');
    await quickInput.title('(2/2)').waitFor();
    await quickInput.type('north');
    await quickInput.problem.filter({ hasText: 'double quotes' }).waitFor();
    await quickInput.answer('"north"');
    await messages.dialog.filter({ hasText: 'on 2 machines' }).waitFor();
    await messages.answerDialog('Set Value');
    await messages.told('2 done');
    const found: unknown[] = [];
    for (const { id, name } of await machines()) {
      const metadata = await client.appClient.getRobotMetadata(id);
      if (metadata.cell === 'north') found.push(name);
    }
    assert.deepEqual(found.toSorted(), [...selected]);
  });

  it('restarts the parts of all of them after one question', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    await fleet.select(...selected);
    await fleet.menu(selected[0], 'Restart Selected');
    await messages.dialog.filter({ hasText: 'Restart 2 parts of 2 machines?' }).waitFor();
    await messages.answerDialog('Restart');
    assert.deepEqual(await restarting(selected.length), [...selected]);
    await messages.told('Restart 2 parts: 2 done');
  });

  it('deletes them once their number is typed, and leaves the others', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.select(...selected);
    await fleet.menu(selected[0], 'Delete Selected');
    await quickInput.title('Delete 2 machines').waitFor();
    await quickInput.answer('delete 3');
    await quickInput.problem.filter({ hasText: 'Type "delete 2"' }).waitFor();
    await quickInput.answer('delete 2');
    for (const name of selected) await fleet.row(name).waitFor({ state: 'detached' });
    const left = (await machines()).map(({ name }) => name);
    assert.ok(!selected.some((name) => left.includes(name)));
    assert.ok(left.includes(other));
  });
});
