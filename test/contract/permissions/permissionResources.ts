import { randomUUID } from 'node:crypto';

/** The resources to which requests refer: one of every kind, all in the same organization. */
export interface Resources {
  organizationId: string;
  publicNamespace: string;
  /** ID of a member; the next field is the member's address. */
  userId: string;
  memberEmail: string;
  /** Address of a pending invitation. */
  inviteEmail: string;
  /** Location of the machine. */
  locationId: string;
  locationSecretId: string;
  /** Another organization with which the location is shared. */
  guestId: string;
  /** Another organization with which the location isn't shared. */
  otherId: string;
  machineId: string;
  mainPartId: string;
  partSecretId: string;
  /** A part of the machine other than its main part. */
  secondPartId: string;
  fragmentId: string;
  /** A key with the operator role on the machine. */
  keyId: string;
  /** A private model and a private module with an app. */
  itemId: string;
  moduleId: string;
  appName: string;
  /** A version of the module, as a package. */
  packageId: string;
  packageVersion: string;
  /**
   * An item that the main part captured, a box on the item, and a dataset that contains the item.
   */
  binaryDataId: string;
  boxId: string;
  datasetId: string;
  /** A training script, a finished job, and a job that runs until it is canceled. */
  scriptId: string;
  endedJobId: string;
  runningJobId: string;
}

/** Returns IDs in the same format that don't belong to any resource. */
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
