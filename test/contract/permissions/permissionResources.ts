import { randomUUID } from 'node:crypto';

/** What requests name: one of every kind of resource, all of the same organization. */
export interface Resources {
  organizationId: string;
  publicNamespace: string;
  /** A member, by id and address. */
  userId: string;
  memberEmail: string;
  /** The address of a pending invite. */
  inviteEmail: string;
  /** The location of the machine. */
  locationId: string;
  locationSecretId: string;
  /** Another organization that the location is shared with. */
  guestId: string;
  /** An organization that it is not shared with. */
  otherId: string;
  machineId: string;
  mainPartId: string;
  partSecretId: string;
  /** A part of the machine that is not its main part. */
  secondPartId: string;
  fragmentId: string;
  /** A key that operates the machine. */
  keyId: string;
  /** A private model and a private module with an app. */
  itemId: string;
  moduleId: string;
  appName: string;
  /** A version of the module, as a package. */
  packageId: string;
  packageVersion: string;
  /** An item that the main part captured, a box on it, and a dataset that it is in. */
  binaryDataId: string;
  boxId: string;
  datasetId: string;
  /** A training script, a job that has ended, and one that goes on until it is canceled. */
  scriptId: string;
  endedJobId: string;
  runningJobId: string;
}

/** Ids of the same shape that nothing has. */
export function absentLike(resources: Resources): Resources {
  const organizationId = randomUUID();
  const absent = Object.fromEntries(Object.keys(resources).map((key) => [key, randomUUID()]));
  return {
    ...(absent as unknown as Resources),
    organizationId,
    memberEmail: `${randomUUID()}@example.com`,
    inviteEmail: `${randomUUID()}@example.com`,
    itemId: `${organizationId}:${randomUUID()}`,
    moduleId: `${organizationId}:${randomUUID()}`,
    scriptId: `${organizationId}:${randomUUID()}`,
    packageId: `${organizationId}/${randomUUID()}`,
  };
}
