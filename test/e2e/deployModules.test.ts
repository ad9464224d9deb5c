import assert from 'node:assert/strict';
import { connectPublicClient } from '../publicClient/publicClient';
import { type JourneyHost, startJourney } from './support/journeyHost';
import { findPublicPart } from './support/publicPart';
import { uiText } from './support/texts';

const organization = 'Norrvik Automation';
const [plant, hall, line, machine] = [
  ...(['Gothenburg Plant', 'Palletizing Hall', 'Line 1'] as const),
  'infeed-conveyor-1',
] as const;
const part = `${machine}-main`;
const fragment = 'conveyor';
const module = 'modbus-io';
const prerelease = '1.9.0-rc.1';

interface Config {
  readonly modules?: readonly { readonly module_id?: string; readonly version?: string }[];
  readonly fragment_mods?: readonly {
    readonly mods: readonly { readonly $set?: Readonly<Record<string, unknown>> }[];
  }[];
}

describe('deploying modules', () => {
  let journey: JourneyHost;
  let client: Awaited<ReturnType<typeof connectPublicClient>>;

  before(async () => {
    journey = await startJourney();
    client = await connectPublicClient(journey.service.credentials);
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  async function readConfig(location: string, name: string): Promise<Config> {
    const { organizationId } = journey.service.credentials;
    const path = { location, machine: name, part: `${name}-main` };
    const { id } = await findPublicPart(client.appClient, organizationId, path);
    return JSON.parse((await client.appClient.getRobotPart(id)).configJson) as Config;
  }

  it('explains that a fragment sets the version, and changes it for one machine', async () => {
    const { fleet, quickInput, editors } = journey.vsCode.workbench;
    await fleet.expand(organization, plant, hall, line, machine);
    await fleet.menu(part, 'fleetwright.module.deploy');
    await quickInput.pick(module);
    await quickInput.row(uiText('editFragment', fragment)).waitFor();
    await quickInput.pick(uiText('changeItForThisMachineOnly'));
    // The comma follows the label. The pin's row contains the version, too, as its current one.
    await quickInput.pick(`${prerelease},`, prerelease);
    await editors.dirtyTab.waitFor();
    await editors.goToText(prerelease);
    await editors.saved();
    const { fragment_mods: mods = [], modules } = await readConfig(line, machine);
    const set = mods.flatMap((entry) => entry.mods).map(({ $set }) => $set ?? {});
    assert.deepEqual(set.map((one) => one[`modules.norrvik_${module}.version`]).filter(Boolean), [
      prerelease,
    ]);
    assert.equal(modules, undefined);
  });

  it('changes the version in the fragment for all machines that use it', async () => {
    const { fleet, quickInput, editors, messages } = journey.vsCode.workbench;
    await fleet.collapse(machine);
    await fleet.expand('Line 2', 'infeed-conveyor-2');
    await fleet.menu('infeed-conveyor-2-main', 'fleetwright.module.deploy');
    await quickInput.pick(module);
    await quickInput.pick(uiText('editFragment', fragment));
    await quickInput.pick(uiText('alwaysLatest'));
    await editors.activeTab(`${fragment}.json`).waitFor();
    await editors.dirtyTab.waitFor();
    await editors.goToText('"latest"');
    await editors.save();
    await messages.dialog.getByText(uiText('partsUseFragment')).waitFor();
    await messages.pressDialogButton(uiText('save'));
    await editors.cleanTab.waitFor();
    const { organizationId } = journey.service.credentials;
    const found = await client.appClient.listFragments(organizationId, true, [1, 2, 3]);
    const config = found.find(({ name }) => name === fragment)?.fragment?.toJson() as Config;
    assert.deepEqual(
      config.modules?.map(({ version }) => version),
      ['latest'],
    );
  });

  it('adds a module to several machines after a preview of every change', async () => {
    const { fleet, quickInput, editors, messages } = journey.vsCode.workbench;
    await fleet.collapse(plant);
    await fleet.expand(uiText('modules'));
    await fleet.menu(module, 'fleetwright.module.deploy');
    await quickInput.pick(uiText('severalMachines'));
    // Wait for the newest release, which is listed below the prerelease, because Enter selects it.
    await quickInput.row('1.8.0').first().waitFor();
    await quickInput.accept();
    await quickInput.pick(organization);
    await quickInput.row('amr-01').first().click();
    await quickInput.selectedCount('1 Selected').waitFor();
    await quickInput.accept();
    await quickInput.pick(uiText('mainPartOfEach', 1), uiText('mainPartOfEach'));
    await editors.tabStartingWith(uiText('preview', uiText('applyToOne'))).waitFor();
    await messages.pressButton(uiText('applyToOne'));
    await messages.waitForMessage(
      `${uiText('deployModule', `norrvik:${module}`)}: ${uiText('doneCount', 1)}`,
    );
    const { modules } = await readConfig('Finished Goods Warehouse', 'amr-01');
    assert.deepEqual(
      modules?.filter(({ module_id: id }) => id === `norrvik:${module}`).map((one) => one.version),
      ['1.8.0'],
    );
  });
});
