import assert from 'node:assert/strict';
import { connectPublicClient } from '../publicClient/publicClient';
import { storedKeys } from './support/browserStores';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { type CommandId, uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const organization = 'Norrvik Automation';
const path = [organization, 'Gothenburg Plant', 'Palletizing Hall', 'Line 2'] as const;
const machine = 'palletizer-2';
const part = 'palletizer-2-main';
const resolvedTab = `${part}.resolved.json`;

describe('working with fragments', () => {
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

  async function organizationId(): Promise<string> {
    const all = await client.appClient.listOrganizations();
    return all.find(({ name }) => name === organization)?.id ?? assert.fail();
  }

  async function fragmentNamed(name: string) {
    // Wire numbers of visibilities: private, public, and public unlisted.
    const found = await client.appClient.listFragments(await organizationId(), true, [1, 2, 3]);
    return found.find((fragment) => fragment.name === name);
  }

  it('shows a resolved config, read-only', async () => {
    const { fleet, editors, run } = workbench();
    await fleet.open();
    await fleet.expand(...path, machine);
    await fleet.click(part);
    await editors.activeTab(`${part}.json`).waitFor();
    await run('fleetwright.part.openResolvedConfig');
    await editors.tabStartingWith(resolvedTab).waitFor();
    await editors.goToText('"pallet-height"');
    await editors.line('"name": "pallet-height",').waitFor();
    // The part's override applies to the fragment's content.
    await editors.goToText('"z": 2450');
    await editors.line('"z": 2450').waitFor();
  });

  it('restores the resolved config after a window reload, and follows unsaved edits', async () => {
    const { fleet, editors } = workbench();
    await journey.vsCode.writes(storedKeys.tabs, (text) => text.includes(resolvedTab));
    await journey.vsCode.reload();
    await editors.tabStartingWith(resolvedTab).waitFor();
    await editors.goToText('"z": 2450');
    await editors.line('"z": 2450').waitFor();
    await fleet.open();
    await fleet.expand(...path, machine);
    await fleet.click(part);
    await editors.activeTab(`${part}.json`).waitFor();
    await editors.replaceAll('translation.z": 2450', 'translation.z": 2451');
    await editors.dirtyTab.waitFor();
    await workbench().run('fleetwright.part.openResolvedConfig');
    await editors.goToText('"z": 2451');
    await editors.line('"z": 2451').waitFor();
  });

  it('compares the resolved config with the config, whose errors are in Problems', async () => {
    const { fleet, editors, run, runBuiltIn } = workbench();
    await fleet.click(part);
    await editors.activeTab(`${part}.json`).waitFor();
    await editors.replaceAll('components.pallet-height.', 'components.pallet-hight.');
    await run('fleetwright.part.compareResolvedConfig');
    await editors.tabStartingWith(uiText('resolvedDiff', `${part}.json`)).waitFor();
    await editors.difference('"name": "cell-io",').waitFor();
    await runBuiltIn('View: Toggle Problems');
    await problem('The fragment has no value at "components.pallet-hight.').waitFor();
    await runBuiltIn('View: Toggle Problems');
    await fleet.click(part);
    await editors.activeTab(`${part}.json`).waitFor();
    await editors.focus();
    await runBuiltIn('File: Revert File');
    await editors.activeCleanTab(`${part}.json`).waitFor();
  });

  it('replaces a component with a new fragment', async () => {
    const { editors, quickInput, messages, run } = workbench();
    await editors.goToText('"name": "cell-overview"');
    await run('fleetwright.document.createFragment');
    await quickInput.title(uiText('createFragment')).waitFor();
    await quickInput.row('cell-overview').waitFor();
    await quickInput.accept();
    await quickInput.enterText('overview');
    await messages.pressButton(uiText('useInThisConfig'), 'overview');
    await editors.dirtyTab.waitFor();
    await editors.focus();
    await editors.saved();
    const created = await fragmentNamed('overview');
    assert.equal(created?.visibility, 1);
    const config = created.fragment?.toJson() as { components: { name: string }[] };
    assert.deepEqual(
      config.components.map(({ name }) => name),
      ['cell-overview'],
    );
  });

  it('finds the machines that use the fragment', async () => {
    const { fleet, quickInput } = workbench();
    await fleet.expand(uiText('fragments'));
    await fleet.menu('overview', 'fleetwright.fragment.showMachines');
    await quickInput.title(uiText('machinesUsing', 'overview', 1)).waitFor();
    await quickInput.row(machine).waitFor();
    await quickInput.accept();
    await fleet.selectedRow(part).waitFor();
  });

  it('makes the fragment public after naming its owner', async () => {
    const { fleet, quickInput, messages } = workbench();
    await fleet.menu('overview', 'fleetwright.fragment.changeVisibility');
    await quickInput.pick(uiText('visibleById'));
    await messages.dialog.getByText(organization).waitFor();
    await messages.pressDialogButton(uiText('makePublicAndUnlisted'));
    await fleet.row('overview').getByText(uiText('publicUnlisted')).waitFor();
    assert.equal((await fragmentNamed('overview'))?.visibility, 3);
  });

  it('adds a fragment with its variables to the config of a part', async () => {
    const { fleet, editors, quickInput, messages } = workbench();
    await fleet.menu(part, 'fleetwright.part.addFragment');
    await quickInput.pick('conveyor');
    await quickInput.title(`${uiText('addFragment', 'conveyor')} (1/2)`).waitFor();
    await quickInput.enterText('10.20.2.99');
    await quickInput.title(`${uiText('addFragment', 'conveyor')} (2/2)`).waitFor();
    await quickInput.enterText('75');
    await editors.dirtyTab.waitFor();
    await editors.goToText('"max-rpm"');
    await editors.line('"max-rpm": 75').waitFor();
    await editors.saved();
    await messages.waitUntilNoErrors();
  });

  function workbench() {
    const { workbench: window } = journey.vsCode;
    const { fleet, editors, quickInput, messages } = window;
    return {
      ...{ fleet, editors, quickInput, messages },
      run: (command: CommandId) => window.run(command),
      runBuiltIn: (title: string) => window.runBuiltIn(title),
    };
  }

  function problem(text: string) {
    return journey.vsCode.page
      .locator('.markers-panel .monaco-list-row', { hasText: text })
      .first();
  }
});
