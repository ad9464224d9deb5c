import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { JsonObject } from '@bufbuild/protobuf';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
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
import type { OpenTransport } from '../../../src/simulate/fleet/fleetMachines';
import { logAsPart } from '../../support/logAsPart';
import { type ServiceKey, withApp } from '../../support/serviceClients';
import { until } from './until';

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
    await until('the extension is signed in', isSignedIn);
    return new HostFleet(key, toConnectionId(key.apiKeyId));
  }

  /** API key of the owner. */
  get credentials(): Pick<ServiceKey, 'apiKeyId' | 'apiKey'> {
    return this.key;
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

  /** Deletes a machine, also from the lists that the extension has read. */
  async deleteMachine({ machineId: id }: MachineTarget): Promise<void> {
    await this.call((app) => app.deleteRobot({ id }));
    await vscode.commands.executeCommand('fleetwright.fleet.refresh');
  }

  /** Writes log lines as the main part of a machine does. */
  async log(machine: string, lines: readonly string[]): Promise<void> {
    const { parts } = await this.call((app) => app.getRobotParts({ robotId: machine }));
    const part = parts.find(({ mainPart }) => mainPart)?.id ?? assert.fail();
    const { url, apiKeyId: id, apiKey: secret } = this.key;
    const sessionManager = new Http2SessionManager(url);
    const open: OpenTransport = (interceptors) =>
      createGrpcTransport({ baseUrl: url, sessionManager, interceptors });
    try {
      await logAsPart(open, { id, secret }, { partId: part, lines, at: new Date() });
    } finally {
      sessionManager.abort();
    }
  }

  /** Creates a machine whose main part has a config. */
  async createMachine(
    location: LocationTarget,
    name: string,
    robotConfig: JsonObject,
  ): Promise<{ readonly machine: MachineTarget; readonly part: PartTarget }> {
    const { id } = await this.call((app) => app.newRobot({ name, location: location.locationId }));
    const machine: MachineTarget = { ...location, kind: 'machine', machineId: machineId(id), name };
    const [part] = await this.findParts(machine);
    assert.ok(part);
    await this.call((app) =>
      app.updateRobotPart({ id: part.partId, name: part.name, robotConfig }),
    );
    return { machine, part };
  }

  /** Calls the service without the extension. */
  call<T>(work: (app: App) => Promise<T>): Promise<T> {
    return withApp(this.key, work);
  }
}

/**
 * Returns true if the window has an active connection. An account alone isn't enough, because it is
 * listed while the sign-in is still being stored.
 */
async function isSignedIn(): Promise<boolean> {
  const call = { input: {}, toolInvocationToken: undefined };
  return vscode.lm.invokeTool('fleetwright_list_organizations', call).then(
    () => true,
    () => false,
  );
}
