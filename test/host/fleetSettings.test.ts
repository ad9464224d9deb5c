import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LocationTarget, OrganizationTarget } from '../../src/core/model/resourceTarget';
import { mustRestart, type PartCredentials } from '../support/machineCalls';
import { HostFleet } from './support/hostFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';
import { until } from './support/until';

const owner = 'Norrvik Automation';
const reader = 'Saltmarsh Field Robotics';
const machineName = 'bench-gantry';

/** Contents of a machine's `/etc/viam.json`. */
interface CloudCredentials extends PartCredentials {
  app_address: string;
}

describe('commands for settings of a fleet in a real extension host', () => {
  let fleet: HostFleet;
  let prompts: ScriptedPrompts;
  let fresh: OrganizationTarget;
  let lab: LocationTarget;
  let plant: LocationTarget;

  before(async () => {
    fleet = await HostFleet.open();
    await fleet.call((app) => app.createOrganization({ name: 'Fresh Robotics' }));
    fresh = await fleet.findOrganization('Fresh Robotics');
    const organization = await fleet.findOrganization(owner);
    lab = await fleet.findLocation(organization, 'Application Lab');
    plant = await fleet.findLocation(organization, 'Gothenburg Plant');
  });

  beforeEach(() => {
    prompts = new ScriptedPrompts();
  });

  afterEach(() => {
    prompts[Symbol.dispose]();
  });

  async function readFresh() {
    const { organizationId } = fresh;
    const { organization } = await fleet.call((app) => app.getOrganization({ organizationId }));
    return organization;
  }

  async function secrets() {
    const { auth } = await fleet.call((app) => app.locationAuth({ locationId: lab.locationId }));
    return auth?.secrets ?? [];
  }

  it('organization.openSettings edits the settings one after another', async () => {
    const running = vscode.commands.executeCommand('fleetwright.organization.openSettings', fresh);
    await prompts.pick('Fresh Robotics', 'Region');
    await prompts.enterText('Region of', 'eu-north');
    await prompts.pick('Fresh Robotics', 'CRM ID');
    await prompts.enterText('CRM ID of', 'CRM-4711');
    const settings = await prompts.next('Fresh Robotics');
    assert.ok(settings.choices().some((choice) => choice.includes('CRM-4711')));
    const organization = await readFresh();
    assert.deepEqual([organization?.defaultRegion, organization?.cid], ['eu-north', 'CRM-4711']);
    settings.leave();
    await running;
  });

  it('organization.openSettings checks a namespace while the user types, and sets it once', async () => {
    const running = vscode.commands.executeCommand('fleetwright.organization.openSettings', fresh);
    await prompts.pick('Fresh Robotics', 'Public Namespace');
    const title = 'Public Namespace of';
    await prompts.validates(title, 'Fresh!', 'only lowercase letters');
    await prompts.validates(title, 'norrvik', 'is taken');
    await prompts.validates(title, 'fresh-robotics', 'is available');
    (await prompts.next(title)).accept();
    await prompts.confirm('The namespace can be set only once', 'Set Namespace');
    await until('the namespace to be set', async () => {
      return (await readFresh())?.publicNamespace === 'fresh-robotics';
    });
    const settings = await prompts.next('Settings');
    assert.ok(settings.choices().some((choice) => choice.includes("can't be changed")));
    settings.leave();
    await running;
  });

  it('location.openSecrets creates, copies, and deletes secrets, of which two can be active', async () => {
    const open = (): Thenable<unknown> =>
      vscode.commands.executeCommand('fleetwright.location.openSecrets', lab);
    let running = open();
    await prompts.pick('Secrets of', 'Create Secret');
    await prompts.message('Created a secret', 'Copy Secret');
    const list = await prompts.next('Secrets of');
    assert.ok(list.choices().some((choice) => choice.includes('which is the maximum')));
    list.leave();
    await running;
    const created = await secrets();
    assert.equal(created.length, 2);
    await until('the secret in the clipboard', async () => {
      return (await vscode.env.clipboard.readText()) === created.at(-1)?.secret;
    });

    running = open();
    await prompts.pick('Secrets of', 'created this minute');
    await prompts.pick('Select an action', 'Delete');
    await prompts.confirm(machineName, 'Delete');
    const rest = await prompts.next('Secrets of');
    assert.ok(rest.choices().some((choice) => choice.includes('switch to the new secret')));
    assert.equal((await secrets()).length, 1);
    rest.leave();
    await running;

    running = open();
    await prompts.pick('Secrets of', 'Create Secret');
    (await prompts.next('Secrets of')).leave();
    await running;
    const [older, newer] = await secrets();
    assert.ok(older && newer);
    running = open();
    await prompts.pick('Secrets of', newer.id.slice(0, 8));
    const actions = await prompts.next('Select an action');
    await fleet.call((app) =>
      app.deleteLocationSecret({ locationId: lab.locationId, secretId: older.id }),
    );
    actions.accept('Delete');
    (await prompts.next('This is the last secret')).leave();
    (await prompts.next('Secrets of')).leave();
    await running;
    assert.equal((await secrets()).length, 1);
  });

  it('location.share shares a location with another organization, and location.unshare stops it', async () => {
    const target = await fleet.findOrganization(reader);
    const isShared = async (): Promise<boolean> => {
      const { locations } = await fleet.call((app) => app.listLocations(target));
      return locations.some(({ id }) => id === plant.locationId);
    };
    let running = vscode.commands.executeCommand('fleetwright.location.share', plant);
    await prompts.pick('', reader);
    await prompts.confirm('can edit the location and manage its secrets', 'Share');
    await running;
    assert.equal(await isShared(), true);
    running = vscode.commands.executeCommand('fleetwright.location.unshare', plant);
    await prompts.pick('', reader);
    await prompts.confirm(reader, 'Stop Sharing');
    await running;
    assert.equal(await isShared(), false);
  });

  it('machine.restart requests a restart, and part.copyCredentials copies the credentials of a part', async () => {
    const machines = await fleet.findMachines(lab);
    const machine = machines.find(({ name }) => name === machineName);
    assert.ok(machine);
    const [part] = await fleet.findParts(machine);
    assert.ok(part);
    void vscode.commands.executeCommand('fleetwright.machine.restart', machine);
    await prompts.confirm(owner, 'Restart');
    await vscode.commands.executeCommand('fleetwright.part.copyCredentials', part);
    const text = await vscode.env.clipboard.readText();
    const { cloud } = JSON.parse(text) as { cloud: CloudCredentials };
    await until('the request to restart', () => mustRestart(fleet.url, cloud));
    const found = await fleet.call((app) => app.getRobotPart({ id: cloud.id }));
    assert.equal(found.part?.name, part.name);
    assert.equal(cloud.app_address, fleet.url);
    assert.ok(found.part.secrets.some(({ secret }) => secret === cloud.secret));
  });

  it('part.showConnectPage opens the instructions for the machine from any part', async () => {
    const machines = await fleet.findMachines(lab);
    const machine = machines.find(({ name }) => name === machineName);
    assert.ok(machine);
    const [part] = await fleet.findParts(machine);
    assert.ok(part);
    await vscode.commands.executeCommand('fleetwright.part.showConnectPage', part);
    await until('the page is open', () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ label }) => label.includes(`Connect ${machineName}`)),
    );
  });
});
