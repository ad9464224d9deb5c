import assert from 'node:assert/strict';
import { connectPublicClient } from '../publicClient/publicClient';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { findPublicPart } from './support/publicPart';
import { uiText } from './support/texts';

const hall = ['Norrvik Automation', 'Gothenburg Plant', 'Palletizing Hall'] as const;
const line = 'Line 1';
const machine = 'palletizer-1';
const part = 'palletizer-1-main';

describe('a save that removes a resource', () => {
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
    const { credentials } = journey.service;
    const { appClient } = await connectPublicClient(credentials);
    const path = { location: line, machine, part };
    const { id } = await findPublicPart(appClient, credentials.organizationId, path);
    return (await appClient.getRobotPart(id)).configJson;
  }

  it('shows a summary, and changes nothing if the user cancels', async () => {
    const { fleet, editors, messages } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand(...hall, line, machine);
    await fleet.click(part);
    await editors.activeTab(`${part}.json`).waitFor();
    const before = await readConfig();
    await editors.replaceAll('"components"', '"spares"');
    await editors.dirtyTab.waitFor();
    await editors.save();
    await messages.dialog.getByText(uiText('removesSome')).waitFor();
    await messages.pressDialogButton(uiText('cancel'));
    await messages.waitForMessage(uiText('nothingSaved'));
    await editors.dirtyTab.waitFor();
    assert.equal(await readConfig(), before);
    assert.match(before, /"components"/);
  });

  it('shows the changes instead of saving them if the user wants to see them first', async () => {
    const { workbench } = journey.vsCode;
    const { editors, messages } = workbench;
    await editors.focus();
    await editors.save();
    await messages.pressDialogButton(uiText('showChanges'));
    await editors.difference('"spares"').waitFor();
    await workbench.runBuiltIn('View: Close Editor');
    await editors.activeTab(`${part}.json`).and(editors.dirtyTab).waitFor();
  });

  it('saves if the user agrees', async () => {
    const { editors, messages } = journey.vsCode.workbench;
    await editors.focus();
    await editors.save();
    await messages.pressDialogButton(uiText('save'));
    await editors.cleanTab.waitFor();
    assert.match(await readConfig(), /"spares"/);
  });
});
