import assert from 'node:assert/strict';
import { connectPublicClient, Struct } from '../publicClient/publicClient';
import { startJourney, type JourneyHost } from './support/journeyHost';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const scope = 'Gothenburg Plant';
/** Has the patch's value before the journey begins. */
const asWanted = 'amr-02';
/** Is changed by somebody else between the preview and its application. */
const changedMeanwhile = 'stretch-wrapper-2';
const bindAddress = ':9443';
const patch = `"network": {"bind_address": "${bindAddress}"}`;

type Config = Record<string, unknown> & { network?: { bind_address?: string } };

interface MainPart {
  machine: string;
  id: string;
  name: string;
}

describe('applying a change to many machines', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let parts: MainPart[];

  before(async () => {
    journey = await startJourney();
    client = await connectPublicClient(journey.service.credentials);
    parts = await mainParts();
    await change(asWanted, (config) => ({ ...config, network: { bind_address: bindAddress } }));
  });

  afterEach(async function () {
    await journey.pictureOfFailure(this);
  });

  after(async () => {
    await journey.close();
  });

  /** The main parts of the machines in the plant, at every depth. */
  async function mainParts(): Promise<MainPart[]> {
    const { appClient } = client;
    const [organization] = await appClient.listOrganizations();
    assert.ok(organization);
    const locations = await appClient.listLocations(organization.id);
    const inside = new Set(locations.filter(({ name }) => name === scope).map(({ id }) => id));
    for (let size = 0; size !== inside.size;) {
      size = inside.size;
      for (const { id, parentLocationId } of locations) {
        if (inside.has(parentLocationId)) inside.add(id);
      }
    }
    const found: MainPart[] = [];
    for (const location of inside) {
      for (const { id: robotId, name: machine } of await appClient.listRobots(location)) {
        const all = await appClient.getRobotParts(robotId);
        const main = all.find(({ mainPart }) => mainPart);
        assert.ok(main);
        found.push({ machine, id: main.id, name: main.name });
      }
    }
    return found;
  }

  function partOf(machine: string): MainPart {
    const part = parts.find((one) => one.machine === machine);
    assert.ok(part);
    return part;
  }

  async function read({ id }: MainPart): Promise<Config> {
    return JSON.parse((await client.appClient.getRobotPart(id)).configJson) as Config;
  }

  async function change(machine: string, edit: (config: Config) => Config): Promise<void> {
    const part = partOf(machine);
    const text = JSON.stringify(edit(await read(part)));
    await client.appClient.updateRobotPart(part.id, part.name, Struct.fromJsonString(text));
  }

  /** The machines that have the patch's value. */
  async function patched(): Promise<string[]> {
    const configs = await Promise.all(parts.map(read));
    return parts
      .filter((_, index) => configs[index]?.network?.bind_address === bindAddress)
      .map(({ machine }) => machine);
  }

  it('takes a merge patch that is written in an editor', async () => {
    const { fleet, quickInput, editors, messages } = journey.vsCode.workbench;
    assert.equal(parts.length, 21);
    await fleet.open();
    await fleet.menu(scope, 'Apply to Machines');
    await quickInput.pick('Write a JSON Merge Patch');
    await messages.told(/Write the merge patch/);
    await editors.type(patch);
    await messages.answer(/Write the merge patch/, 'Continue');
  });

  it('offers the machines of the location, all chosen, and asks which of their parts', async () => {
    const { quickInput } = journey.vsCode.workbench;
    await quickInput.row(changedMeanwhile).waitFor();
    await quickInput.selectedCount(`${parts.length} Selected`).waitFor();
    await quickInput.accept();
    await quickInput.pick(`The Main Part of Each Machine (${parts.length})`, 'Main Part');
  });

  it('shows every difference before it writes anything', async () => {
    const { editors, messages } = journey.vsCode.workbench;
    await editors.tabStartingWith('Preview: Apply to 20 Machines').waitFor();
    await messages.told(/20 configs change as shown.*1 are as wanted already/);
    await editors.difference(`"bind_address": "${bindAddress}"`).waitFor();
    assert.deepEqual(await patched(), [asWanted]);
  });

  it('writes them all but the one that somebody changed meanwhile, and names it', async () => {
    const { editors, messages } = journey.vsCode.workbench;
    await change(changedMeanwhile, (config) => ({ ...config, witness: true }));
    await messages.answer(/20 configs change as shown/, 'Apply to 20 Machines');
    await messages.told(/19 done, 1 unchanged, 1 failed/);
    await editors.activeTab('Report.txt').waitFor();
    await editors.text('changed by somebody else after the preview').waitFor();
    const report = await editors.visibleText();
    const [, failed = ''] = report.split('Failed (1)');
    assert.match(failed.trim(), new RegExp(`^${changedMeanwhile} › `));
    assert.match(failed, /changed by somebody else after the preview/);
    const others = parts.map(({ machine }) => machine).filter((one) => one !== changedMeanwhile);
    assert.deepEqual(await patched(), others);
  });

  it('retries that one on top of what it has become, after another preview', async () => {
    const { editors, messages } = journey.vsCode.workbench;
    await messages.answer(/1 failed/, 'Retry Failed');
    await editors.tabStartingWith('Preview: Apply to 1 Machine').waitFor();
    await messages.answer(/1 config changes as shown/, 'Apply to 1 Machine');
    await messages.told(/Apply merge patch: 1 done\./);
    const config = await read(partOf(changedMeanwhile));
    assert.equal(config.network?.bind_address, bindAddress);
    assert.equal(config.witness, true);
    assert.equal((await patched()).length, parts.length);
  });
});
