import assert from 'node:assert/strict';
import { Visibility } from '../../../src/gen/viam/app/v1/registry_pb';
import { PackageType } from '../../../src/gen/viam/app/packages/v1/packages_pb';
import type { RobotPart } from '../../../src/gen/viam/app/v1/machine_pb';
import { upload } from '../cases/tabularFixture';
import { capture, dataClientsWithRole } from '../dataFixture';
import { type AppClient, authClient } from '../deployment';
import {
  type Fleet,
  newLocation,
  newMachine,
  newOrganization,
  signInWithRole,
} from '../fleetFixture';
import { createRegistryClients, uploadModule, uploadPackage } from '../packageFixture';
import { waitForJobEnd, managedRequest, createTrainingClient } from '../trainingFixture';
import { role } from './permissionRequests';
import type { Resources } from './permissionResources';

/**
 * Word that is part of every name, document, and path of the fleet, but not of any request. If it
 * appears in a response, information leaked.
 */
export const SECRET_WORD = 'hush';

/** A fleet, the key with which it was created, and the secret of its machine. */
export interface PermissionFleet {
  resources: Resources;
  maker: AppClient;
  partSecret: string;
}

/** Creates a fleet with one of each kind of resource to which requests can refer. */
export async function newPermissionFleet(fleet: Fleet): Promise<PermissionFleet> {
  const { deployment } = fleet;
  // Use a separate key, because a key that owns the organizations of all fleets would be slow.
  const { organizations } = await fleet.owner.listOrganizations({});
  const owner = await signInWithRole(fleet, 'owner', 'organization', organizations[0]?.id ?? '');
  const { id: organizationId } = await newOrganization(owner, `${SECRET_WORD} Robotics`);
  const suffix = organizationId.slice(0, 8);
  const publicNamespace = `space-${suffix}`;
  const { id: guestId } = await newOrganization(owner, 'Guests');
  const { id: otherId } = await newOrganization(owner, 'Others');
  const data = { note: SECRET_WORD };
  await owner.updateOrganization({ organizationId, publicNamespace });
  await owner.updateOrganizationMetadata({ organizationId, data });

  const { locationId, machineId, part } = await newMachine(owner, organizationId, SECRET_WORD);
  await owner.updateLocation({ locationId, name: `${SECRET_WORD} hall` });
  await owner.shareLocation({ locationId, organizationId: guestId });
  await newLocation(owner, organizationId, `${SECRET_WORD} yard`, locationId);
  const { partId: secondPartId } = await owner.newRobotPart({
    robotId: machineId,
    partName: `${SECRET_WORD} second`,
  });
  const { auth } = await owner.locationAuth({ locationId });
  await owner.updateLocationMetadata({ locationId, data });
  await owner.updateRobotMetadata({ id: machineId, data });
  await owner.updateRobotPartMetadata({ id: part.id, data });

  const { fragment } = await owner.createFragment({
    organizationId,
    name: `${SECRET_WORD} cell`,
    config: data,
  });
  assert.ok(fragment);
  await owner.updateFragment({ id: fragment.id, name: `${SECRET_WORD} cell two` });
  const robotConfig = { fragments: [fragment.id], ...data };
  await owner.updateRobotPart({ id: part.id, name: `${SECRET_WORD}-main`, robotConfig });

  const people = await addPeople(owner, organizationId, suffix);
  await fetch(deployment.mailer.linkTo(people.memberEmail));
  const { userId } = await owner.getUserIDByEmail({ email: people.memberEmail });
  const { id: keyId } = await owner.createKey({
    name: `${SECRET_WORD} key`,
    authorizations: [role('robot_operator', machineId)],
  });
  return {
    resources: {
      organizationId,
      publicNamespace,
      guestId,
      otherId,
      userId,
      ...people,
      locationId,
      machineId,
      secondPartId,
      mainPartId: part.id,
      keyId,
      ...(await addItems(owner, organizationId)),
      ...(await addData({ ...fleet, owner }, organizationId, part)),
      fragmentId: fragment.id,
      locationSecretId: auth?.secrets[0]?.id ?? '',
      partSecretId: part.secrets[0]?.id ?? '',
    },
    maker: owner,
    partSecret: part.secrets[0]?.secret ?? '',
  };
}

async function addPeople(owner: AppClient, organizationId: string, suffix: string) {
  const memberEmail = `member-${suffix}@example.com`;
  const inviteEmail = `invited-${suffix}@example.com`;
  const authorizations = [role('organization_operator', organizationId)];
  for (const email of [memberEmail, inviteEmail]) {
    await owner.createOrganizationInvite({ organizationId, email, authorizations });
  }
  return { memberEmail, inviteEmail };
}

async function addItems(owner: AppClient, organizationId: string) {
  const appName = 'panel';
  const type = PackageType.ML_MODEL;
  await owner.createRegistryItem({ organizationId, name: 'grasps', type });
  const itemId = `${organizationId}:grasps`;
  const description = `${SECRET_WORD} model`;
  await owner.updateRegistryItem({ itemId, type, description, visibility: Visibility.PRIVATE });
  await owner.createModule({ organizationId, name: 'wheels' });
  const moduleId = `${organizationId}:wheels`;
  const entrypoint = `bin/${SECRET_WORD}`;
  await owner.updateModule({
    moduleId,
    entrypoint,
    apps: [{ name: appName, type: 'single_machine', entrypoint: `${SECRET_WORD}.html` }],
  });
  const packageId = `${organizationId}/wheels`;
  const packageVersion = `1.0.0-${SECRET_WORD}`;
  await uploadModule({ app: owner, moduleId }, { version: packageVersion });
  return { itemId, moduleId, appName, packageId, packageVersion };
}

async function addData(fleet: Fleet, organizationId: string, part: RobotPart) {
  const clients = await dataClientsWithRole(fleet, 'organization_owner', organizationId);
  const name = `${SECRET_WORD} pictures`;
  const { id: datasetId } = await clients.datasets.createDataset({ organizationId, name });
  const binaryDataId = await capture({ ...clients, part }, 1, {
    tags: [SECRET_WORD],
    datasetIds: [datasetId],
  });
  const values = { readings: { note: SECRET_WORD } };
  await upload(clients, part.id, [{ at: fleet.clock.now(), values }]);
  const { bboxId } = await clients.data.addBoundingBoxToImageByID({
    binaryDataId,
    label: `${SECRET_WORD} cup`,
  });
  const training = await addTraining(fleet, { organizationId, datasetId, token: clients.token });
  return { binaryDataId, datasetId, boxId: bboxId, ...training };
}

async function addTraining(
  fleet: Fleet,
  { token, ...lab }: { organizationId: string; datasetId: string; token: string },
) {
  const { packages } = createRegistryClients(fleet, token);
  const name = `learn-${SECRET_WORD}`;
  await uploadPackage({ ...lab, packages }, { name });
  const training = createTrainingClient(fleet, token);
  const { id: endedJobId } = await training.submitTrainingJob(managedRequest(lab, 'fails'));
  await waitForJobEnd(training, endedJobId);
  const { id: runningJobId } = await training.submitTrainingJob(managedRequest(lab, 'waits'));
  return { scriptId: `${lab.organizationId}:${name}`, endedJobId, runningJobId };
}

/** Signs a machine in with the secret of its main part and returns its token. */
export async function machineToken(
  { deployment }: Fleet,
  { resources, partSecret }: PermissionFleet,
): Promise<string> {
  const { accessToken } = await authClient(deployment).authenticate({
    entity: resources.mainPartId,
    credentials: { type: 'robot-secret', payload: partSecret },
  });
  return accessToken;
}
