import assert from 'node:assert/strict';
import { connectPublicClient } from '../publicClient/publicClient';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { uiText } from './support/texts';

// Misspelled on purpose: cspell:ignore componets

const path = ['Norrvik Automation', 'Gothenburg Plant', 'Palletizing Hall', 'Line 1'] as const;
const machine = 'palletizer-1';
const part = 'palletizer-1-main';
const fileName = `${part}.json`;

describe('errors in the config of a part', () => {
  let journey: JourneyHost;

  before(async () => {
    journey = await startJourney();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  async function readConfig(): Promise<string> {
    const { appClient } = await connectPublicClient(journey.service.credentials);
    const [organization] = await appClient.listOrganizations();
    assert.ok(organization);
    const locations = await appClient.listLocations(organization.id);
    const location = locations.find(({ name }) => name === path.at(-1));
    assert.ok(location);
    const robot = (await appClient.listRobots(location.id)).find(({ name }) => name === machine);
    assert.ok(robot);
    const found = (await appClient.getRobotParts(robot.id)).find(({ name }) => name === part);
    assert.ok(found);
    return (await appClient.getRobotPart(found.id)).configJson;
  }

  it('are not found in a valid config', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand(...path, machine);
    await fleet.click(part);
    await editors.activeTab(fileName).waitFor();
    await editors.text('"cell-overview"').waitFor();
    assert.equal(await editors.marks.count(), 0);
  });

  it('are marked while the config is edited, and a quick fix corrects a misspelled key', async () => {
    const { page, workbench } = journey.vsCode;
    const { editors } = workbench;
    await editors.replaceAll('"components"', '"componets"');
    await editors.marks.first().waitFor();
    await editors.goToText('componets');
    await workbench.runBuiltIn('Quick Fix...');
    await page.getByText(uiText('changeTo', '"components"')).waitFor();
    await page.keyboard.press('Enter');
    await editors.text('"components"').waitFor();
    await editors.marks.first().waitFor({ state: 'detached' });
  });

  it('do not arise when a component is renamed together with the references to it', async () => {
    const { page, workbench } = journey.vsCode;
    const { editors } = workbench;
    await editors.replaceAll('"resource": "stacking"', '"resource": "cell-overview"');
    await editors.goToText('cell-overview');
    await workbench.runBuiltIn('Rename Symbol');
    const box = page.locator('.rename-box input');
    await box.waitFor();
    await box.fill('cell-camera');
    await box.press('Enter');
    await editors.text('"cell-camera"').waitFor();
    await editors.save();
    // A rename doesn't remove a resource, so there is no prompt.
    await editors.cleanTab.waitFor();
    const after = await readConfig();
    assert.match(after, /"name": ?"cell-camera"/);
    assert.match(after, /"resource": ?"cell-camera"/);
    assert.doesNotMatch(after, /cell-overview/);
    assert.equal(await editors.marks.count(), 0);
  });

  it('include a missing module, which a quick fix deploys', async () => {
    const { page, workbench } = journey.vsCode;
    const { editors } = workbench;
    await editors.replaceAll('"fragments"', '"former"');
    await editors.replaceAll('rdk:builtin:webcam', 'norrvik:modbus-io:coupler');
    await editors.marks.first().waitFor();
    await editors.goToText('norrvik:modbus-io:coupler');
    await workbench.runBuiltIn('Quick Fix...');
    await page.getByText(uiText('deployModuleVersion', 'norrvik:modbus-io', '1.8.0')).waitFor();
    await page.keyboard.press('Enter');
    await editors.marks.first().waitFor({ state: 'detached' });
    // The module is at the end of the config, which isn't visible.
    await editors.goToText('"module_id"');
    await page.getByText('modbus-io 1.8.0', { exact: true }).waitFor();
    await editors.save();
    // Without its fragments, the machine has fewer resources.
    await workbench.messages.pressDialogButton(uiText('save'));
    await editors.cleanTab.waitFor();
    const { modules } = JSON.parse(await readConfig()) as { modules: unknown };
    assert.deepEqual(modules, [
      {
        type: 'registry',
        name: 'norrvik_modbus-io',
        module_id: 'norrvik:modbus-io',
        version: '1.8.0',
      },
    ]);
  });
});
