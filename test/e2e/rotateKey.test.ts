import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectPublicClient } from '../publicClient/publicClient';
import { readBrowserStores, storedKeys } from './support/browserStores';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { uiText } from './support/texts';

const organization = 'Norrvik Automation';
const group = uiText('apiKeys');
const keyInUse = 'Local owner';
const part = 'palletizer-1-main';
const location = 'Application Lab';

interface Key {
  apiKeyId: string;
  apiKey: string;
}

describe('API keys', () => {
  let journey: JourneyHost;
  let organizationId: string;
  let owner: Key;
  /** Secrets in encrypted form, as VS Code stored them before the current key was rotated. */
  let secretsBefore: string;
  const secrets: string[] = [];

  before(async () => {
    journey = await startJourney();
    ({ organizationId, ...owner } = journey.service.credentials);
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  const connect = (key: Key) => connectPublicClient({ url: journey.service.url, ...key });
  const clipboard = () => journey.vsCode.page.evaluate(() => navigator.clipboard.readText());

  async function listKeys() {
    const { appClient } = await connect(owner);
    return appClient.listKeys(organizationId);
  }

  async function keyNames(): Promise<string[]> {
    return (await listKeys()).map(({ apiKey }) => apiKey?.name ?? '');
  }

  /** Copies both values from the dialog that shows a new key; closes the dialog. */
  async function takeKey(title: string): Promise<Key> {
    const { quickInput } = journey.vsCode.workbench;
    await quickInput.title(title).waitFor();
    await quickInput.use(uiText('copyBothAsEnvironmentVariables'));
    await quickInput.row('SVC_API_KEY_ID').locator('.codicon-check').waitFor();
    const text = await clipboard();
    const [, apiKeyId, apiKey] = /^SVC_API_KEY_ID=(\S+)\nSVC_API_KEY=(\S+)\n$/.exec(text) ?? [];
    assert.ok(apiKeyId && apiKey, 'both are in the clipboard');
    secrets.push(apiKey);
    await quickInput.pick(uiText('close'));
    await quickInput.title(title).waitFor({ state: 'hidden' });
    return { apiKeyId, apiKey };
  }

  it('are listed under the organization, with a mark for the one in use', async () => {
    const { fleet } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand(organization, 'Gothenburg Plant', 'Palletizing Hall', 'Line 1');
    await fleet.expand('palletizer-1');
    await fleet.click(part);
    await journey.vsCode.workbench.editors.activeTab(`${part}.json`).waitFor();
    await fleet.collapse('Gothenburg Plant');
    await fleet.expand(group, keyInUse);
    const label = await fleet.row(keyInUse).getAttribute('aria-label');
    assert.ok(
      label?.startsWith(`${keyInUse}, ${uiText('inUse')} · ${uiText('owner')}`),
      label ?? '',
    );
    await fleet.row(uiText('ownerOfTheOrganization')).waitFor();
  });

  it('continue to work when the key in use is rotated, including unsaved edits', async () => {
    const { fleet, editors, messages } = journey.vsCode.workbench;
    secretsBefore = await journey.vsCode.stored(storedKeys.secrets);
    await editors.replaceAll('"width_px": 1280', '"width_px": 1920');
    await editors.dirtyTab.waitFor();
    await fleet.menu(keyInUse, 'fleetwright.apiKey.rotate');
    await messages.dialog.filter({ hasText: uiText('oldKeyWindows') }).waitFor();
    await messages.pressDialogButton(uiText('rotate'));
    const rotated = await takeKey(uiText('rotatedKey', keyInUse));
    assert.equal(rotated.apiKeyId, owner.apiKeyId);
    assert.notEqual(rotated.apiKey, owner.apiKey);
    await assert.rejects(connect(owner));
    owner = rotated;

    await editors.saved();
    const { appClient } = await connect(owner);
    const [found] = await appClient.listOrganizations();
    assert.equal(found?.id, organizationId);
    await journey.vsCode.workbench.run('fleetwright.fleet.refresh');
    await fleet.row(keyInUse).waitFor();
  });

  it('remain signed in after a reload', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await journey.vsCode.writes(storedKeys.tabs, (text) => text.includes(`${part}.json`));
    await journey.vsCode.writes(storedKeys.secrets, (text) => text !== secretsBefore);
    await journey.vsCode.reload();
    await fleet.row(organization).waitFor();
    await editors.activeTab(`${part}.json`).waitFor();
    await editors.replaceAll('"width_px": 1920', '"width_px": 1280');
    await editors.dirtyTab.waitFor();
    await editors.saved();
  });

  it('are created for one location, whose role is listed first', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.menu(location, 'fleetwright.apiKey.create');
    await quickInput.row(uiText('operator')).waitFor();
    await quickInput.accept();
    await quickInput.row(location).waitFor();
    await quickInput.accept();
    await quickInput.row(uiText('continue')).waitFor();
    await quickInput.accept();
    await quickInput.row(uiText('continue')).waitFor({ state: 'hidden' });
    await quickInput.enterText('lab script');
    const made = await takeKey(uiText('newKey', 'lab script'));
    const key = (await listKeys()).find(({ apiKey }) => apiKey?.id === made.apiKeyId);
    assert.equal(key?.apiKey?.name, 'lab script');
    assert.deepEqual(
      key.authorizations.map(({ authorizationId }) => authorizationId),
      ['location_operator'],
    );
    await fleet.selectedRow('lab script').waitFor();
    await connect(made);
  });

  it('prompt before a key is lost that was not copied', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    await fleet.menu('lab script', 'fleetwright.apiKey.duplicate');
    const title = uiText('newKeyWithRoles', 'lab script');
    await quickInput.title(title).waitFor();
    await quickInput.leave();
    await messages.dialog.filter({ hasText: uiText('keyShownOnce') }).waitFor();
    await messages.pressDialogButton(uiText('showKeyAgain'));
    const copy = await takeKey(title);
    const names = await keyNames();
    assert.equal(names.filter((name) => name === 'lab script').length, 1);
    await connect(copy);
  });

  it('are deleted after the user types their name, and rejected immediately', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    const before = (await keyNames()).length;
    await fleet.menu('lab script', 'fleetwright.apiKey.delete');
    await quickInput.enterText('lab');
    await quickInput.problem.filter({ hasText: uiText('typeToConfirm', 'lab script') }).waitFor();
    await quickInput.enterText('lab script');
    await fleet.row('lab script').waitFor({ state: 'detached' });
    const names = await keyNames();
    assert.ok(!names.includes('lab script'));
    assert.equal(names.length, before - 1);
  });

  it('are in no file, no plain storage, and no part of the window after all steps', async () => {
    assert.ok(secrets.length >= 3);
    const { page, dataFolder } = journey.vsCode;
    const shown = await page.content();
    const stored = (await readBrowserStores(page)).map(({ text }) => text).join('\n');
    assert.match(stored, /lastActiveConnection/, 'the state of the extension is among it');
    const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const secret of secrets) {
      assert.ok(!shown.includes(secret), 'shown');
      assert.ok(!stored.includes(secret), 'stored');
      const holders = files.filter((file) => readFileSync(file).includes(secret));
      assert.deepEqual(holders, []);
    }
  });

  it('sign this window out when the key in use is deleted', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.menu(keyInUse, 'fleetwright.apiKey.delete');
    await quickInput.enterText(keyInUse);
    await journey.vsCode.workbench.statusBarItem(uiText('notConnected')).waitFor();
    await journey.vsCode.page
      .locator('.part.sidebar')
      .getByRole('button', { name: uiText('signIn') })
      .waitFor();
    await assert.rejects(connect(owner));
  });
});
