import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { toConnectionId } from '../../../src/core/model/connection';
import {
  type ConnectionId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../../src/core/model/ids';
import type {
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
  PartTarget,
} from '../../../src/core/model/resourceTarget';
import { type ServiceKey, withApp } from '../../support/serviceClients';

const POLL_MS = 50;
const SIGN_IN_TIMEOUT_MS = 60_000;

type App = Parameters<Parameters<typeof withApp>[1]>[0];

/** The service with the demo fleet that `scripts/testHost.ts` starts, with the extension signed in to it. */
export class HostFleet {
  private constructor(
    private readonly key: ServiceKey,
    readonly connectionId: ConnectionId,
  ) {}

  static async open(): Promise<HostFleet> {
    const file = process.env.FLEETWRIGHT_CREDENTIALS_FILE;
    assert.ok(file, 'The runner names a credentials file.');
    const key = JSON.parse(readFileSync(file, 'utf8')) as ServiceKey;
    await vscode.extensions.getExtension('fleetwright.fleetwright')?.activate();
    const deadline = performance.now() + SIGN_IN_TIMEOUT_MS;
    while ((await vscode.authentication.getAccounts('fleetwright')).length === 0) {
      assert.ok(performance.now() < deadline, 'The extension is not signed in.');
      await sleep(POLL_MS);
    }
    return new HostFleet(key, toConnectionId(key.apiKeyId));
  }

  /** URL of the service. */
  get url(): string {
    return this.key.url;
  }

  async findOrganization(name: string): Promise<OrganizationTarget> {
    const { organizations } = await this.call((app) => app.listOrganizations({}));
    const found = organizations.find((organization) => organization.name === name);
    assert.ok(found, name);
    const { connectionId } = this;
    return { kind: 'organization', connectionId, organizationId: organizationId(found.id), name };
  }

  async findLocation(organization: OrganizationTarget, name: string): Promise<LocationTarget> {
    const { locations } = await this.call((app) => app.listLocations(organization));
    const found = locations.find((location) => location.name === name);
    assert.ok(found, name);
    return { ...organization, kind: 'location', locationId: locationId(found.id), name };
  }

  async findMachines(location: LocationTarget): Promise<MachineTarget[]> {
    const { robots } = await this.call((app) => app.listRobots(location));
    return robots.map(({ id, name }) => ({
      ...location,
      kind: 'machine',
      machineId: machineId(id),
      name,
    }));
  }

  async findParts(machine: MachineTarget): Promise<PartTarget[]> {
    const { parts } = await this.call((app) => app.getRobotParts({ robotId: machine.machineId }));
    return parts.map(({ id, name }) => ({
      ...machine,
      kind: 'part',
      machineName: machine.name,
      partId: partId(id),
      name,
    }));
  }

  /** Calls the service without the extension. */
  call<T>(work: (app: App) => Promise<T>): Promise<T> {
    return withApp(this.key, work);
  }
}
