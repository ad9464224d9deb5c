import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { role } from '../contract/permissions/permissionRequests';
import { withApp } from '../support/serviceClients';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { until } from './support/until';

const organization = 'Norrvik Automation';
const location = 'Gothenburg Plant';
const machine = 'amr-01';
const permissionError = `Your API key doesn't have permission to view captured data in "${organization}". Required role: Operator of the organization.`;
const sql = 'SELECT count(*) AS readings FROM readings';

/**
 * Starts VS Code signed in to a demo fleet with a new key that has a role on a location or on the
 * organization.
 */
async function startWith(
  name: 'location_operator' | 'organization_operator',
  folder: string,
): Promise<JourneyHost> {
  const service = await startDemoService();
  const key = await withApp(service.credentials, async (app) => {
    const { organizations } = await app.listOrganizations({});
    const organizationId = organizations.find((one) => one.name === organization)?.id ?? '';
    const { locations } = await app.listLocations({ organizationId });
    const locationId = locations.find((one) => one.name === location)?.id ?? '';
    const resource = name === 'location_operator' ? locationId : organizationId;
    return app.createKey({ authorizations: [role(name, resource)] });
  });
  const credentialsFile = join(folder, 'key.json');
  const credentials = { ...service.credentials, apiKeyId: key.id, apiKey: key.key };
  writeFileSync(credentialsFile, JSON.stringify(credentials));
  const journey = await startJourneyWith({ ...service, credentialsFile }, folder);
  await journey.vsCode.workbench.fleet.open();
  return journey;
}

describe('a key of a location, without a right on its organization', () => {
  let journey: JourneyHost;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-restricted-'));
    writeFileSync(join(folder, 'count.fleet.sql'), `${sql}\n`);
    journey = await startWith('location_operator', folder);
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('sees its location', async () => {
    const { fleet } = journey.vsCode.workbench;
    await fleet.row(location).waitFor();
  });

  it('sees only what it can do in menus, and why it can do no more', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    const entries = await fleet.menuEntries(location);
    assert.ok(entries.includes('Browse Data'), entries.join());
    for (const hidden of ['Open Query Editor', 'Rename Location…', 'Delete Location…', 'New']) {
      assert.ok(!entries.includes(hidden), hidden);
    }
    await fleet.menu(location, "Why Can't I Edit This?");
    await messages.pressDialogButton('Copy Request');
  });

  it('opens the config of a machine with one click, and is told why it is read-only', async () => {
    const { vsCode } = journey;
    const { fleet, editors, messages } = vsCode.workbench;
    await fleet.expand(location, 'Finished Goods Warehouse');
    await fleet.button(machine, 'Open Machine Config');
    await editors.activeTab(`${machine}-main.json`).waitFor();
    await vsCode.workbench.statusBarItem('Read-only').waitFor();
    await vsCode.page.locator('.editor-actions .action-label[aria-label^="Why Can\'t"]').click();
    await messages.pressDialogButton('Copy Request');
  });

  it('is told which role asking readings takes, and no panel opens', async () => {
    const { quickInput, messages, editors } = journey.vsCode.workbench;
    await journey.vsCode.workbench.run('Open Query Editor');
    await quickInput.pick(organization);
    await messages.waitForMessage(permissionError);
    assert.equal(await editors.tabStartingWith('Query: ').count(), 0);
  });

  it('is told so where a file is run, too', async () => {
    const { vsCode } = journey;
    const { quickInput, messages } = vsCode.workbench;
    await vsCode.workbench.run('Notifications: Clear All Notifications');
    await messages.waitUntilDismissed(permissionError);
    await vsCode.page.keyboard.press('ControlOrMeta+p');
    await quickInput.pick('count.fleet.sql');
    await vsCode.page.locator('.codelens-decoration a', { hasText: 'Run' }).first().click();
    await quickInput.pick(organization);
    await messages.waitForMessage(permissionError);
  });
});

describe('a key of an operator of an organization', () => {
  let journey: JourneyHost;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-operator-'));
    journey = await startWith('organization_operator', folder);
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gets no commands in the Command Palette that only owners can use', async () => {
    const { quickInput } = journey.vsCode.workbench;
    await until('the palette offers only what an operator can do', async () => {
      await quickInput.openPalette();
      await quickInput.type('>Fleetwright: Machine');
      await quickInput.row('Restart Machine or Part').waitFor();
      const owners = await quickInput.row('Create Machine').count();
      await quickInput.leave();
      return owners === 0;
    });
  });
});
