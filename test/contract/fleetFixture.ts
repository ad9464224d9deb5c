import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Location } from '../../src/gen/viam/app/v1/location_pb';
import type { TailRobotPartLogsResponse } from '../../src/gen/viam/app/v1/log_pb';
import type { RobotPart } from '../../src/gen/viam/app/v1/machine_pb';
import type { Organization } from '../../src/gen/viam/app/v1/organization_pb';
import { type AppClient, type Deployment, signIn } from './deployment';
import type { TestClock } from '../support/testClock';

/** The deployment that a suite of contract cases tests. */
export interface Fleet {
  deployment: Deployment;
  clock: TestClock;
  /**
   * Client of the owner of the service's first organization and of all organizations that this
   * owner creates.
   */
  owner: AppClient;
}

/** Returns the fleet; must be called after the suite's hooks have started it. */
export type FleetUnderTest = () => Fleet;

export async function newOrganization(app: AppClient, name = 'Acme'): Promise<Organization> {
  const { organization } = await app.createOrganization({ name });
  assert.ok(organization);
  return organization;
}

export async function newLocation(
  app: AppClient,
  organizationId: string,
  name = 'Hall',
  parentLocationId?: string,
): Promise<Location> {
  const { location } = await app.createLocation({
    organizationId,
    name,
    ...(parentLocationId !== undefined && { parentLocationId }),
  });
  assert.ok(location);
  return location;
}

/** A machine in a new location, with its main part. */
export interface NewMachine {
  locationId: string;
  machineId: string;
  part: RobotPart;
}

export async function newMachine(
  app: AppClient,
  organizationId: string,
  name = 'arm',
): Promise<NewMachine> {
  const location = await newLocation(app, organizationId);
  const { id } = await app.newRobot({ name, location: location.id });
  const { parts } = await app.getRobotParts({ robotId: id });
  assert.ok(parts[0]);
  return { locationId: location.id, machineId: id, part: parts[0] };
}

/** Returns a client whose key has a single role on one resource. */
export async function signInWithRole(
  { deployment, owner }: Fleet,
  role: 'owner' | 'operator',
  resourceType: 'organization' | 'location' | 'robot',
  resourceId: string,
): Promise<AppClient> {
  const key = await owner.createKey({
    authorizations: [
      {
        authorizationType: 'role',
        authorizationId: `${resourceType}_${role}`,
        resourceType,
        resourceId,
        identityType: 'api-key',
      },
    ],
  });
  return signIn(deployment, key);
}

/** Returns the owner of a separate new organization. */
export async function newStranger(fleet: Fleet): Promise<AppClient> {
  const organization = await newOrganization(fleet.owner, 'Strangers Inc');
  return signInWithRole(fleet, 'owner', 'organization', organization.id);
}

/** An open tail of a part's log. */
export class LogTail {
  private readonly lines: string[] = [];

  private constructor(private readonly messages: AsyncIterator<TailRobotPartLogsResponse>) {}

  /** Opens a tail; resolves when it is live. */
  static async open(app: AppClient, id: string): Promise<LogTail> {
    const messages = app.tailRobotPartLogs({ id })[Symbol.asyncIterator]();
    await messages.next();
    return new LogTail(messages);
  }

  /** Returns all lines since the tail is live, after a number of them have arrived or it ended. */
  async read(count: number): Promise<readonly string[]> {
    while (this.lines.length < count) {
      const next = await this.messages.next();
      if (next.done === true) break;
      this.lines.push(...next.value.logs.map(({ message }) => message));
    }
    return this.lines;
  }

  async close(): Promise<void> {
    await this.messages.return?.();
  }
}

/** Asserts that a call fails with a code and, if specified, with a message. */
export async function assertRejected(
  call: Promise<unknown>,
  code: Code,
  message?: RegExp,
): Promise<void> {
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof ConnectError, String(error));
    assert.equal(Code[error.code], Code[code], error.message);
    if (message !== undefined) assert.match(error.rawMessage, message);
    return true;
  });
}
