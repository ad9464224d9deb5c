import assert from 'node:assert/strict';
import { startDemoService } from '../../scripts/support/demoFleet';
import type { ServiceProcess } from '../../scripts/support/serviceProcess';
import { connectPublicClient } from '../publicClient/publicClient';
import { storedKeys } from './support/browserStores';
import { localFleetCredentials } from './support/localFleetCredentials';
import { startVsCode, type VsCode } from './support/vsCode';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const location = 'Application Lab';
const machine = 'bench-arm-99';
const renamed = 'bench-arm-100';
/** Time for which the extension waits for a service that is loading the demo fleet. */
const firstStartLimitMs = 60_000;

describe('signing in and managing a fleet', () => {
  let service: ServiceProcess;
  let client: PublicClient;
  let vsCode: VsCode;

  before(async () => {
    service = await startDemoService();
    client = await connectPublicClient(service.credentials);
    vsCode = await startVsCode();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    console.log(`Picture: ${await vsCode.screenshot(this.currentTest.fullTitle())}`);
  });

  after(async () => {
    await vsCode.close();
    await service.stop();
  });

  async function machineNames(): Promise<string[]> {
    const [organization] = await client.appClient.listOrganizations();
    assert.ok(organization);
    const locations = await client.appClient.listLocations(organization.id);
    const lab = locations.find(({ name }) => name === location);
    assert.ok(lab);
    return (await client.appClient.listRobots(lab.id)).map(({ name }) => name);
  }

  it('reports an invalid address and key ID while the user types', async () => {
    const { fleet, quickInput } = vsCode.workbench;
    await fleet.open();
    await vsCode.page
      .locator('.part.sidebar')
      .getByRole('button', { name: uiText('signIn') })
      .click();
    await quickInput.type('ftp://fleet');
    await quickInput.problem.filter({ hasText: uiText('addressRule') }).waitFor();
    await quickInput.enterText(service.url);
    await quickInput.title('2/3').waitFor();
    await quickInput.type('not-a-uuid');
    await quickInput.problem.filter({ hasText: uiText('keyIdRule') }).waitFor();
    await quickInput.enterText(service.credentials.apiKeyId);
  });

  it('leaves the prompt open for a wrong key, and signs in with the right one', async () => {
    const { fleet, quickInput } = vsCode.workbench;
    await quickInput.title('3/3').waitFor();
    await quickInput.enterText('wrong');
    await quickInput.problem.filter({ hasText: uiText('keyRejected') }).waitFor();
    await quickInput.enterText(service.credentials.apiKey);
    await quickInput.pick(uiText('allowChangesChoice'));
    await fleet.row('Norrvik Automation').waitFor();
    await vsCode.workbench.statusBarItem('Norrvik Automation').waitFor();
  });

  it('stays signed in after a reload', async () => {
    const { apiKeyId } = service.credentials;
    await vsCode.writes(storedKeys.extension, (text) => text.includes(apiKeyId) && isActive(text));
    await vsCode.writes(storedKeys.secrets, (text) => text !== '');
    await vsCode.reload();
    await vsCode.workbench.fleet.row('Norrvik Automation').waitFor();
  });

  it('creates a machine that a public client can see', async () => {
    const { fleet, quickInput } = vsCode.workbench;
    await fleet.menu(location, 'fleetwright.machine.create');
    await quickInput.enterText(machine);
    await fleet.selectedRow(machine).waitFor();
    await fleet.row(`${machine}-main`).waitFor();
    assert.ok((await machineNames()).includes(machine));
  });

  it('renames the machine with F2', async () => {
    const { fleet, quickInput } = vsCode.workbench;
    await fleet.click(machine);
    await vsCode.page.keyboard.press('F2');
    await quickInput.problem.filter({ hasText: uiText('newMachineName', machine) }).waitFor();
    await quickInput.enterText(renamed);
    await fleet.row(renamed).waitFor();
    assert.ok((await machineNames()).includes(renamed));
  });

  it('deletes the machine only after the user types its name', async () => {
    const { fleet, quickInput } = vsCode.workbench;
    await fleet.menu(renamed, 'fleetwright.machine.delete');
    await quickInput.enterText('something else');
    await quickInput.problem.filter({ hasText: uiText('typeToConfirm', renamed) }).waitFor();
    assert.ok((await machineNames()).includes(renamed));
    await quickInput.enterText(renamed);
    await fleet.row(renamed).waitFor({ state: 'detached' });
    assert.ok(!(await machineNames()).includes(renamed));
  });

  it('finds a machine that no tree has loaded yet, and reveals it', async () => {
    const { fleet, quickInput } = vsCode.workbench;
    await vsCode.workbench.run('fleetwright.resource.find');
    await quickInput.pick('palletizer-2-main', 'line palletizer-2-main');
    await fleet.selectedRow('palletizer-2-main').waitFor();
  });

  it('clears everything on sign-out', async () => {
    await vsCode.workbench.run('fleetwright.connection.signOut');
    await vsCode.workbench.messages.pressDialogButton(uiText('signOut'));
    await vsCode.workbench.statusBarItem(uiText('notConnected')).waitFor();
    const { apiKeyId } = service.credentials;
    await vsCode.writes(
      storedKeys.extension,
      (text) => !text.includes(apiKeyId) && !isActive(text),
    );
    await vsCode.reload();
    await vsCode.page
      .locator('.part.sidebar')
      .getByRole('button', { name: uiText('signIn') })
      .waitFor();
  });

  it('starts a fleet on this computer, and queries its readings with the packaged engine', async () => {
    const start = vsCode.page
      .locator('.part.sidebar')
      .getByRole('button', { name: uiText('startLocalFleet') });
    await start.click();
    const organization = vsCode.workbench.fleet.row('Norrvik Automation');
    await organization.waitFor({ timeout: firstStartLimitMs });
    const credentials = localFleetCredentials(vsCode);
    const { dataClient } = await connectPublicClient(credentials);
    const sql = 'select count(*) > 0 as captured from readings';
    const rows = await dataClient.tabularDataBySQL(credentials.organizationId, sql);
    assert.deepEqual(rows, [{ captured: true }]);
  });

  it('finds that fleet again after a reload, and stops it', async () => {
    const { fleet } = vsCode.workbench;
    await vsCode.writes(storedKeys.extension, isActive);
    await vsCode.reload();
    await fleet.row('Norrvik Automation').waitFor();
    await vsCode.workbench.run('fleetwright.localFleet.stop');
    // The row shows the first sentence of the error.
    const [firstSentence = ''] = uiText('localFleetStopped').split('. ');
    await fleet.row(firstSentence).waitFor();
  });
});

/** Returns true if the extension has saved a connection that this window uses. */
function isActive(stored: string): boolean {
  return /"activeConnection":"\w/.test(stored);
}
