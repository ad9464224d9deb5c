import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startDemoService } from '../../scripts/support/demoFleet';
import type { ServiceProcess } from '../../scripts/support/serviceProcess';
import { connectPublicClient } from '../publicClient/publicClient';
import { findPublicPart } from './support/publicPart';
import { getCommandTitle, listSubmenus, uiText } from './support/texts';
import { startVsCode, type VsCode } from './support/vsCode';

const organization = 'Norrvik Automation';
const hall = [organization, 'Gothenburg Plant', 'Palletizing Hall'] as const;
const line = 'Line 1';
const machine = 'palletizer-1';
const part = 'palletizer-1-main';

describe('a read-only connection', () => {
  let vsCode: VsCode;
  let service: ServiceProcess;

  before(async () => {
    service = await startDemoService();
    vsCode = await startVsCode({});
  });

  afterEach(async function () {
    const { currentTest } = this;
    if (currentTest?.state === 'failed') await vsCode.screenshot(currentTest.fullTitle());
  });

  after(async () => {
    await vsCode.close();
    await service.stop();
  });

  const connectionItem = (): Locator =>
    vsCode.workbench.statusBarItem(uiText('readOnlyStatus', undefined));

  /** Entry of the document, not that of the connection. */
  const documentItem = (): Locator =>
    vsCode.workbench.statusBarItem(new RegExp(`^\\W*${uiText('readOnly')}$`));

  /** Reads the config over a connection of another program. */
  async function readConfig(): Promise<string> {
    const { appClient } = await connectPublicClient(service.credentials);
    const path = { location: line, machine, part };
    const { id } = await findPublicPart(appClient, service.credentials.organizationId, path);
    return (await appClient.getRobotPart(id)).configJson;
  }

  it('is chosen when the connection is added, and shown in the tree and the status bar', async () => {
    const { fleet, quickInput } = vsCode.workbench;
    await fleet.open();
    await vsCode.page
      .locator('.part.sidebar')
      .getByRole('button', { name: uiText('signIn') })
      .click();
    await quickInput.enterText(service.url);
    await quickInput.title('2/3').waitFor();
    await quickInput.enterText(service.credentials.apiKeyId);
    await quickInput.title('3/3').waitFor();
    await quickInput.enterText(service.credentials.apiKey);
    await quickInput.pick(uiText('readOnlyChoice'));
    await fleet.row(`${organization}, ${uiText('readOnlyMark')}`).waitFor();
    await connectionItem().waitFor();
  });

  it('offers no changes in menus and in the Command Palette', async () => {
    const { fleet, quickInput } = vsCode.workbench;
    const entries = await fleet.menuEntries(organization);
    assert.ok(entries.includes(getCommandTitle('fleetwright.training.show')), entries.join());
    for (const hidden of [
      getCommandTitle('fleetwright.organization.rename'),
      getCommandTitle('fleetwright.organization.delete'),
      ...listSubmenus('fleetwright.location.create'),
    ]) {
      assert.ok(!entries.includes(hidden), hidden);
    }
    await quickInput.openPalette();
    await quickInput.type('>Fleetwright: connection');
    await quickInput.row(getCommandTitle('fleetwright.connection.allowChanges')).waitFor();
    assert.equal(
      await quickInput.row(getCommandTitle('fleetwright.connection.makeReadOnly')).count(),
      0,
    );
    await quickInput.leave();
  });

  it('opens a config that cannot be edited', async () => {
    const { fleet, editors } = vsCode.workbench;
    await fleet.expand(...hall, line, machine);
    await fleet.click(part);
    await editors.activeTab(`${part}.json`).waitFor();
    await documentItem().waitFor();
    await editors.line('{').waitFor();
    await editors.focus();
    await vsCode.page.keyboard.type('x');
    await vsCode.page.locator('.monaco-editor-overlaymessage').waitFor();
    assert.equal(await editors.text('x{').count(), 0);
    await editors.line('{').waitFor();
    await editors.cleanTab.waitFor();
    await vsCode.screenshot('read-only edit');
  });

  it('is recognizable in all themes', async () => {
    const { quickInput } = vsCode.workbench;
    for (const theme of ['Light Modern', 'Dark High Contrast', 'Dark Modern']) {
      await vsCode.workbench.runBuiltIn('Preferences: Color Theme');
      await quickInput.pick(theme);
      await connectionItem().waitFor();
      await vsCode.screenshot(`read-only ${theme}`);
    }
  });

  it('names the connection when changes are allowed, and then accepts them', async () => {
    const { editors, messages } = vsCode.workbench;
    await vsCode.workbench.run('fleetwright.connection.allowChanges');
    const question = messages.dialog.getByText(uiText('allowChangesIn', undefined)).first();
    await question.waitFor();
    assert.ok((await question.innerText()).includes(organization));
    await vsCode.screenshot('read-only confirmation');
    await messages.pressDialogButton(uiText('allowChanges'));
    await connectionItem().waitFor({
      state: 'detached',
    });
    await documentItem().waitFor({ state: 'detached' });
    await editors.focus();
    await editors.replaceAll('"components"', '"spares"');
    await editors.dirtyTab.waitFor();
  });

  it('keeps unsaved edits, and explains why they cannot be saved', async () => {
    const { editors, messages } = vsCode.workbench;
    const before = await readConfig();
    await vsCode.workbench.run('fleetwright.connection.makeReadOnly');
    await connectionItem().waitFor();
    await editors.focus();
    await editors.save();
    await messages.waitForMessage(uiText('readOnlyConnection', undefined));
    await editors.dirtyTab.waitFor();
    await vsCode.screenshot('read-only save');
    assert.equal(await readConfig(), before);
  });

  it('saves them after the changes were allowed from the message', async () => {
    const { editors, messages } = vsCode.workbench;
    const problem = uiText('readOnlyConnection', undefined);
    await messages.pressLink(problem, uiText('allowChanges'));
    await messages.pressDialogButton(uiText('allowChanges'));
    await connectionItem().waitFor({ state: 'detached' });
    await editors.focus();
    await editors.save();
    await messages.pressDialogButton(uiText('save'));
    await editors.cleanTab.waitFor();
    assert.match(await readConfig(), /"spares"/);
  });
});
