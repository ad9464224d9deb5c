import assert from 'node:assert/strict';
import { connectPublicClient } from '../publicClient/publicClient';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { until } from './support/until';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const organization = 'Norrvik Automation';
const plant = 'Gothenburg Plant';
const hall = 'Palletizing Hall';
const line = 'Line 1';
const lab = 'Application Lab';

describe('moving a location by drag and drop', () => {
  let journey: JourneyHost;
  let client: PublicClient;

  before(async () => {
    journey = await startJourney();
    client = await connectPublicClient(journey.service.credentials);
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  /**
   * Returns the name of a location's parent, according to the public client; empty if the location
   * is at the top level.
   */
  async function readParent(name: string): Promise<string> {
    const { appClient } = client;
    const owner = (await appClient.listOrganizations()).find((one) => one.name === organization);
    assert.ok(owner);
    const locations = await appClient.listLocations(owner.id);
    const found = locations.find((one) => one.name === name);
    assert.ok(found);
    return locations.find(({ id }) => id === found.parentLocationId)?.name ?? '';
  }

  it('prompts with the affected resources, and moves the location into another one', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand(organization, plant, hall);
    await fleet.row(line).waitFor();
    await fleet.drag(line, lab);
    await messages.dialog.getByText(uiText('moveInto', uiText('theLocation', line), lab)).waitFor();
    await messages.dialog.getByText(organization).waitFor();
    assert.equal(await readParent(line), hall);
    await messages.pressDialogButton(uiText('move'));
    await until('it is in the other location', async () => (await readParent(line)) === lab);
    await fleet.selectedRow(line).waitFor();
  });

  it('does not move the location if the user cancels', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    await fleet.drag(hall, lab);
    await messages.pressDialogButton(uiText('cancel'));
    await messages.dialog.waitFor({ state: 'hidden' });
    assert.equal(await readParent(hall), plant);
  });

  it('rejects a target inside of the location, and explains why', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    await fleet.drag(plant, hall);
    await messages.waitForMessage(uiText('cannotMoveIntoItself', plant));
    assert.equal(await readParent(plant), '');
  });

  it('moves the location to the top level when it is dropped on the organization', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    await fleet.drag(line, organization);
    await messages.dialog
      .getByText(uiText('moveToTop', uiText('theLocation', line), organization))
      .waitFor();
    await messages.pressDialogButton(uiText('move'));
    await until('it is at the top level', async () => (await readParent(line)) === '');
  });
});
