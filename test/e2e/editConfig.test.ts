import assert from 'node:assert/strict';
import { connectPublicClient, Struct } from '../publicClient/publicClient';
import { storedKeys } from './support/browserStores';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const path = ['Norrvik Automation', 'Gothenburg Plant', 'Palletizing Hall', 'Line 1'] as const;
const machine = 'palletizer-1';
const part = 'palletizer-1-main';
const fileName = `${part}.json`;

interface PartConfig {
  components: { name: string; attributes: Record<string, unknown> }[];
  network: Record<string, unknown>;
}

describe('editing the config of a part', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let partId: string;

  before(async () => {
    journey = await startJourney();
    client = await connectPublicClient(journey.service.credentials);
    partId = await findPart();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  async function findPart(): Promise<string> {
    const { appClient } = client;
    const [organization] = await appClient.listOrganizations();
    assert.ok(organization);
    const locations = await appClient.listLocations(organization.id);
    const location = locations.find(({ name }) => name === path.at(-1));
    assert.ok(location);
    const robot = (await appClient.listRobots(location.id)).find(({ name }) => name === machine);
    assert.ok(robot);
    const found = (await appClient.getRobotParts(robot.id)).find(({ name }) => name === part);
    assert.ok(found);
    return found.id;
  }

  async function readConfig(): Promise<PartConfig> {
    const { configJson } = await client.appClient.getRobotPart(partId);
    return JSON.parse(configJson) as PartConfig;
  }

  async function camera(): Promise<Record<string, unknown>> {
    return (await readConfig()).components[0]?.attributes ?? {};
  }

  it('opens the document from the Fleet view', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand(...path, machine);
    await fleet.click(part);
    await editors.activeTab(fileName).waitFor();
    await editors.text('"cell-overview"').waitFor();
  });

  it('saves a change that a public client can read', async () => {
    const { editors } = journey.vsCode.workbench;
    await editors.replaceAll('"width_px": 1280', '"width_px": 1920');
    await editors.dirtyTab.waitFor();
    await editors.saved();
    assert.equal((await camera()).width_px, 1920);
  });

  it('detects a change of the same length by a public client at the save', async () => {
    const { editors, messages } = journey.vsCode.workbench;
    await editors.replaceAll('"height_px": 720', '"height_px": 960');
    await editors.dirtyTab.waitFor();

    const theirs = await readConfig();
    theirs.network = { bind_address: ':9090' };
    await client.appClient.updateRobotPart(
      partId,
      part,
      Struct.fromJsonString(JSON.stringify(theirs)),
    );

    await editors.save();
    await messages.waitForMessage(uiText('changedByOwnKey'));
    await editors.dirtyTab.waitFor();
    assert.equal((await camera()).height_px, 720);
    assert.deepEqual((await readConfig()).network, { bind_address: ':9090' });
  });

  it('merges both changes and saves them after the user accepts', async () => {
    const { editors, messages } = journey.vsCode.workbench;
    await messages.pressLink(uiText('changedByOwnKey'), uiText('merge'));
    await messages.pressButton(uiText('acceptAndSave'));
    await editors.activeCleanTab(fileName).waitFor();
    assert.equal((await camera()).height_px, 960);
    assert.deepEqual((await readConfig()).network, { bind_address: ':9090' });
  });

  it('restores the document after a window reload', async () => {
    const { vsCode } = journey;
    await vsCode.writes(
      storedKeys.tabs,
      (text) => text.includes(fileName) && !text.includes('diffEditor'),
    );
    await vsCode.reload();
    const { editors } = vsCode.workbench;
    await editors.activeTab(fileName).waitFor();
    await editors.line('"height_px": 960').waitFor();
    await editors.activeCleanTab(fileName).waitFor();
  });
});
