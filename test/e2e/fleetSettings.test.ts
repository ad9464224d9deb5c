import assert from 'node:assert/strict';
import { connectPublicClient } from '../publicClient/publicClient';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { mustRestart, type PartCredentials } from './support/machineCalls';
import { until } from './support/until';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const owner = 'Norrvik Automation';
const reader = 'Saltmarsh Field Robotics';
const location = 'Gothenburg Plant';
const lab = 'Application Lab';
const machine = 'bench-gantry';
const part = 'bench-gantry-main';

/** What a machine reads from its `/etc/viam.json`. */
interface CloudCredentials extends PartCredentials {
  app_address: string;
}

describe('the settings of a fleet', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let newId: string;

  before(async () => {
    journey = await startJourney();
    client = await connectPublicClient(journey.service.credentials);
    newId = (await client.appClient.createOrganization('Fresh Robotics'))?.id ?? '';
    await journey.vsCode.workbench.fleet.open();
    await journey.vsCode.workbench.fleet.row('Fresh Robotics').waitFor();
  });

  afterEach(async function () {
    await journey.pictureOfFailure(this);
  });

  after(async () => {
    await journey.close();
  });

  async function locationOf(organizationName: string, name: string) {
    const organizations = await client.appClient.listOrganizations();
    const organization = organizations.find((one) => one.name === organizationName);
    assert.ok(organization);
    const locations = await client.appClient.listLocations(organization.id);
    return locations.find((one) => one.name === name);
  }

  async function clipboard(): Promise<string> {
    return journey.vsCode.page.evaluate(() => navigator.clipboard.readText());
  }

  it('edits what an organization has, one after the other', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.menu('Fresh Robotics', 'Open Settings of Organization');
    await quickInput.pick('Region');
    await quickInput.title('Region of').waitFor();
    await quickInput.answer('eu-north');
    await quickInput.row('eu-north').waitFor();
    await quickInput.pick('CRM ID');
    await quickInput.title('CRM ID of').waitFor();
    await quickInput.answer('CRM-4711');
    await quickInput.row('CRM-4711').waitFor();
    const organization = await client.appClient.getOrganization(newId);
    assert.deepEqual([organization?.defaultRegion, organization?.cid], ['eu-north', 'CRM-4711']);
  });

  it('tells while a namespace is typed whether it is free, and sets it once', async () => {
    const { quickInput, messages } = journey.vsCode.workbench;
    await quickInput.pick('Public Namespace');
    await quickInput.title('Public Namespace of').waitFor();
    await quickInput.type('Fresh!');
    await quickInput.problem.filter({ hasText: 'only lowercase letters' }).waitFor();
    await quickInput.type('norrvik');
    await quickInput.problem.filter({ hasText: 'is taken' }).waitFor();
    await quickInput.type('fresh-robotics');
    await quickInput.problem.filter({ hasText: 'is free' }).waitFor();
    await quickInput.answer('fresh-robotics');
    await messages.answerDialog('Set Namespace');
    await quickInput.row('cannot be changed any more').waitFor();
    const organization = await client.appClient.getOrganization(newId);
    assert.equal(organization?.publicNamespace, 'fresh-robotics');
    await quickInput.leave();
  });

  it('creates, copies and deletes secrets, of which two can be active', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    const { id = '' } = (await locationOf(owner, lab)) ?? {};
    await fleet.menu(lab, 'Open Secrets of Location');
    await quickInput.pick('Create Secret');
    await quickInput.row('the most there can be').waitFor();
    await messages.answer('Created a secret', 'Copy Secret');
    await messages.told('Copied Secret');
    const secrets = (await client.appClient.locationAuth(id))?.secrets ?? [];
    assert.equal(secrets.length, 2);
    assert.equal(await clipboard(), secrets.at(-1)?.secret);
    await fleet.menu(lab, 'Open Secrets of Location');
    await quickInput.pick('created this minute', 'created this minute');
    await quickInput.pick('Delete');
    await messages.dialog.filter({ hasText: machine }).waitFor();
    await messages.answerDialog('Delete');
    await quickInput.row('change over to it').waitFor();
    assert.equal((await client.appClient.locationAuth(id))?.secrets.length, 1);
    await quickInput.leave();
  });

  it('shares a location with another organization and takes it back', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    await fleet.menu(location, 'Share Location');
    await quickInput.pick(reader);
    await messages.dialog.filter({ hasText: 'Changes and secrets stay' }).waitFor();
    await messages.answerDialog('Share');
    await fleet.row(`${location} shared with 1`).waitFor();
    await fleet.row(`${location} shared by ${owner}`).waitFor();
    assert.ok(await locationOf(reader, location));
    await fleet.menu(location, 'Stop Sharing');
    await quickInput.pick(reader);
    await messages.answerDialog('Stop Sharing');
    await fleet.row(`${location} shared by ${owner}`).waitFor({ state: 'detached' });
    assert.equal(await locationOf(reader, location), undefined);
  });

  it('restarts a machine and copies what its computer needs', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    await fleet.expand(lab, machine);
    await fleet.menu(machine, 'Restart Machine');
    await messages.dialog.filter({ hasText: owner }).waitFor();
    await messages.answerDialog('Restart');
    await fleet.menu(part, 'Copy Machine Credentials');
    await messages.told('Copied the credentials');
    const { cloud } = JSON.parse(await clipboard()) as { cloud: CloudCredentials };
    await until('the restart is asked for', () => mustRestart(journey.service.url, cloud));
    const { part: found } = await client.appClient.getRobotPart(cloud.id);
    assert.equal(found?.name, part);
    assert.equal(cloud.app_address, journey.service.url);
    assert.ok(found.secrets.some(({ secret }) => secret === cloud.secret));
  });
});
