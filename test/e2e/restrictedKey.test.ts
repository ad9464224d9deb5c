import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { role } from '../contract/permissions/permissionRequests';
import { withApp } from '../support/serviceClients';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { until } from './support/until';
import { getCommandTitle, listSubmenus, uiText } from './support/texts';

const organization = 'Norrvik Automation';
const location = 'Gothenburg Plant';
const machine = 'amr-01';
const permissionError = `${uiText('noDataPermission', organization)} ${uiText('requiredRole', uiText('operatorOfTheOrganization'))}`;
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

describe('a key with a role on a location, and none on its organization', () => {
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

  it('lists its location', async () => {
    const { fleet } = journey.vsCode.workbench;
    await fleet.row(location).waitFor();
  });

  it('shows only permitted actions in menus, and explains what is missing', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    const entries = await fleet.menuEntries(location);
    assert.ok(entries.includes(getCommandTitle('fleetwright.data.browse')), entries.join());
    for (const hidden of [
      getCommandTitle('fleetwright.query.open'),
      getCommandTitle('fleetwright.location.rename'),
      getCommandTitle('fleetwright.location.delete'),
      ...listSubmenus('fleetwright.machine.create'),
    ]) {
      assert.ok(!entries.includes(hidden), hidden);
    }
    await fleet.menu(location, 'fleetwright.resource.explainPermissions');
    await messages.pressDialogButton(uiText('copyRequest'));
  });

  it('opens the config of a machine with one click, and explains why it is read-only', async () => {
    const { vsCode } = journey;
    const { fleet, editors, messages } = vsCode.workbench;
    await fleet.expand(location, 'Finished Goods Warehouse');
    await fleet.button(machine, 'fleetwright.machine.openConfig');
    await editors.activeTab(`${machine}-main.json`).waitFor();
    await vsCode.workbench.statusBarItem(uiText('readOnly')).waitFor();
    const explain = JSON.stringify(getCommandTitle('fleetwright.resource.explainPermissions'));
    await vsCode.page.locator(`.editor-actions .action-label[aria-label^=${explain}]`).click();
    await messages.pressDialogButton(uiText('copyRequest'));
  });

  it('shows the role that queries require instead of a query panel', async () => {
    const { quickInput, messages, editors } = journey.vsCode.workbench;
    await journey.vsCode.workbench.run('fleetwright.query.open');
    await quickInput.pick(organization);
    await messages.waitForMessage(permissionError);
    assert.equal(await editors.tabStartingWith(uiText('queryTab')).count(), 0);
  });

  it('shows the required role when a file is run, too', async () => {
    const { vsCode } = journey;
    const { quickInput, messages } = vsCode.workbench;
    await vsCode.workbench.runBuiltIn('Notifications: Clear All Notifications');
    await messages.waitUntilDismissed(permissionError);
    await vsCode.page.keyboard.press('ControlOrMeta+p');
    await quickInput.pick('count.fleet.sql');
    await vsCode.page
      .locator('.codelens-decoration a', { hasText: uiText('run') })
      .first()
      .click();
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
    const offered = getCommandTitle('fleetwright.resource.restart');
    const hidden = getCommandTitle('fleetwright.machine.create');
    // A filter with words of both titles lists both commands.
    const words = new Set(hidden.match(/\w+/g));
    const common = (offered.match(/\w+/g) ?? []).filter((word) => words.has(word));
    assert.notDeepEqual(common, []);
    await until('the palette offers only what an operator can do', async () => {
      await quickInput.openPalette();
      await quickInput.type(`>Fleetwright: ${common.join(' ')}`);
      await quickInput.row(offered).waitFor();
      const owners = await quickInput.row(hidden).count();
      await quickInput.leave();
      return owners === 0;
    });
  });
});
