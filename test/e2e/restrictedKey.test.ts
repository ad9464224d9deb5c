import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { role } from '../contract/permissions/permissionRequests';
import { withApp } from '../support/serviceClients';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';

const organization = 'Norrvik Automation';
const location = 'Gothenburg Plant';
const machine = 'amr-01';
const refusal = `Your API key doesn't have permission to view captured data in "${organization}". Required role: Operator of the organization.`;
const sql = 'SELECT count(*) AS readings FROM readings';

describe('a key of a location, without a right on its organization', () => {
  let journey: JourneyHost;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-restricted-'));
    writeFileSync(join(folder, 'count.fleet.sql'), `${sql}\n`);
    const service = await startDemoService();
    const key = await withApp(service.credentials, async (app) => {
      const { organizations } = await app.listOrganizations({});
      const organizationId = organizations.find(({ name }) => name === organization)?.id ?? '';
      const { locations } = await app.listLocations({ organizationId });
      const place = locations.find(({ name }) => name === location);
      assert.ok(place);
      return app.createKey({ authorizations: [role('location_operator', place.id)] });
    });
    const credentialsFile = join(folder, 'key.json');
    const credentials = { ...service.credentials, apiKeyId: key.id, apiKey: key.key };
    writeFileSync(credentialsFile, JSON.stringify(credentials));
    journey = await startJourneyWith({ ...service, credentialsFile }, folder);
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.pictureOfFailure(this);
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
    for (const hidden of ['Rename Location…', 'Delete Location…', 'New']) {
      assert.ok(!entries.includes(hidden), hidden);
    }
    await fleet.menu(location, "Why Can't I Edit This?");
    await messages.answerDialog('Copy Request');
  });

  it('opens the config of a machine with one click, and is told why it is read-only', async () => {
    const { vsCode } = journey;
    const { fleet, editors, messages } = vsCode.workbench;
    await fleet.expand(location, 'Finished Goods Warehouse');
    await fleet.button(machine, 'Open Machine Config');
    await editors.activeTab(`${machine}-main.json`).waitFor();
    await vsCode.workbench.statusBarItem('Read-only').waitFor();
    await vsCode.page.locator('.editor-actions .action-label[aria-label^="Why Can\'t"]').click();
    await messages.answerDialog('Copy Request');
  });

  it('is told which role asking readings takes, and no panel opens', async () => {
    const { quickInput, messages, editors } = journey.vsCode.workbench;
    await journey.vsCode.workbench.run('Open Query Editor');
    await quickInput.pick(organization);
    await messages.told(refusal);
    assert.equal(await editors.tabStartingWith('Query: ').count(), 0);
  });

  it('is told so where a file is run, too', async () => {
    const { vsCode } = journey;
    const { quickInput, messages } = vsCode.workbench;
    await vsCode.workbench.run('Notifications: Clear All Notifications');
    await messages.gone(refusal);
    await vsCode.page.keyboard.press('ControlOrMeta+p');
    await quickInput.pick('count.fleet.sql');
    await vsCode.page.locator('.codelens-decoration a', { hasText: 'Run' }).first().click();
    await quickInput.pick(organization);
    await messages.told(refusal);
  });
});
