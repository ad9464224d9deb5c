import type { MessageInitShape } from '@bufbuild/protobuf';
import { PackageType } from '../../../src/gen/viam/app/packages/v1/packages_pb';
import type { RolloutService } from '../../../src/gen/fleetwright/rollout/v1/rollout_pb';
import type { AppService } from '../../../src/gen/viam/app/v1/app_pb';
import type { AuthorizationSchema } from '../../../src/gen/viam/app/v1/authorization_pb';
import { FragmentVisibility } from '../../../src/gen/viam/app/v1/fragment_pb';
import { Visibility } from '../../../src/gen/viam/app/v1/registry_pb';
import type { Resources } from './permissionResources';

type Methods = (typeof AppService & typeof RolloutService)['method'];
type Requests = {
  readonly [Name in keyof Methods]?: (
    resources: Resources,
  ) => MessageInitShape<Methods[Name]['input']>;
};

export type RoleId = `${'organization' | 'location' | 'robot'}_${'owner' | 'operator'}`;

/** Returns a role on a resource in wire format. */
export function role(
  authorizationId: RoleId,
  resourceId: string,
  identityId = '',
): MessageInitShape<typeof AuthorizationSchema> {
  return {
    authorizationType: 'role',
    authorizationId,
    resourceType: authorizationId.split('_')[0] ?? '',
    resourceId,
    identityType: 'api-key',
    identityId,
  };
}

const NEW = 'new-name';
const organization = ({ organizationId }: Resources) => ({ organizationId });
const location = ({ locationId }: Resources) => ({ locationId });
const invite = ({ organizationId, inviteEmail }: Resources) => ({
  organizationId,
  email: inviteEmail,
});

/**
 * A valid request for every supported RPC, all about the same fleet. The names of created and
 * renamed resources don't depend on the caller.
 */
export const PERMISSION_REQUESTS: Requests = {
  getUserIDByEmail: (r) => ({ email: r.memberEmail }),
  createOrganization: () => ({ name: NEW }),
  listOrganizations: () => ({}),
  listOrganizationsByUser: (r) => ({ userId: r.userId }),
  getOrganizationsWithAccessToLocation: location,
  getOrganization: organization,
  getOrganizationNamespaceAvailability: () => ({ publicNamespace: NEW }),
  updateOrganization: (r) => ({ ...organization(r), name: NEW }),
  deleteOrganization: organization,
  listOrganizationMembers: organization,
  createOrganizationInvite: (r) => ({ ...organization(r), email: 'new@example.com' }),
  updateOrganizationInviteAuthorizations: (r) => ({
    ...invite(r),
    addAuthorizations: [role('robot_operator', r.machineId)],
  }),
  deleteOrganizationMember: (r) => ({ ...organization(r), userId: r.userId }),
  deleteOrganizationInvite: invite,
  resendOrganizationInvite: invite,
  getOrganizationMetadata: organization,
  updateOrganizationMetadata: (r) => ({ ...organization(r), data: { a: 1 } }),

  createLocation: (r) => ({ ...organization(r), name: NEW }),
  getLocation: location,
  updateLocation: (r) => ({ ...location(r), name: NEW }),
  deleteLocation: location,
  listLocations: organization,
  shareLocation: (r) => ({ ...location(r), organizationId: r.otherId }),
  unshareLocation: (r) => ({ ...location(r), organizationId: r.guestId }),
  locationAuth: location,
  createLocationSecret: location,
  deleteLocationSecret: (r) => ({ ...location(r), secretId: r.locationSecretId }),
  getLocationMetadata: location,
  updateLocationMetadata: (r) => ({ ...location(r), data: { a: 1 } }),

  getRobot: (r) => ({ id: r.machineId }),
  getRobotAPIKeys: (r) => ({ robotId: r.machineId }),
  getRobotParts: (r) => ({ robotId: r.machineId }),
  getRobotPart: (r) => ({ id: r.mainPartId }),
  getRobotPartLogs: (r) => ({ id: r.mainPartId }),
  tailRobotPartLogs: (r) => ({ id: r.mainPartId }),
  getRobotPartHistory: (r) => ({ id: r.mainPartId }),
  updateRobotPart: (r) => ({ id: r.mainPartId, name: NEW, robotConfig: { a: 1 } }),
  newRobotPart: (r) => ({ robotId: r.machineId, partName: NEW }),
  deleteRobotPart: (r) => ({ partId: r.secondPartId }),
  markPartAsMain: (r) => ({ partId: r.secondPartId }),
  markPartForRestart: (r) => ({ partId: r.mainPartId }),
  createRobotPartSecret: (r) => ({ partId: r.mainPartId }),
  deleteRobotPartSecret: (r) => ({ partId: r.mainPartId, secretId: r.partSecretId }),
  listRobots: location,
  newRobot: (r) => ({ name: NEW, location: r.locationId }),
  updateRobot: (r) => ({ id: r.machineId, name: NEW, location: r.locationId }),
  deleteRobot: (r) => ({ id: r.machineId }),
  getRobotMetadata: (r) => ({ id: r.machineId }),
  getRobotPartMetadata: (r) => ({ id: r.mainPartId }),
  updateRobotMetadata: (r) => ({ id: r.machineId, data: { a: 1 } }),
  updateRobotPartMetadata: (r) => ({ id: r.mainPartId, data: { a: 1 } }),

  listFragments: (r) => ({
    ...organization(r),
    fragmentVisibility: [FragmentVisibility.PRIVATE],
  }),
  listMachineFragments: (r) => ({ machineId: r.machineId }),
  listMachineSummaries: organization,
  listFragmentRollout: (r) => ({ ...organization(r), fragmentId: r.fragmentId }),
  getFragment: (r) => ({ id: r.fragmentId }),
  createFragment: (r) => ({ ...organization(r), name: NEW }),
  updateFragment: (r) => ({ id: r.fragmentId, name: NEW }),
  deleteFragment: (r) => ({ id: r.fragmentId }),
  getFragmentHistory: (r) => ({ id: r.fragmentId }),

  addRole: (r) => ({
    authorization: { ...role('robot_operator', r.machineId, r.userId), ...organization(r) },
  }),
  removeRole: (r) => ({
    authorization: { ...role('robot_operator', r.machineId, r.keyId), ...organization(r) },
  }),
  changeRole: (r) => ({
    oldAuthorization: { ...role('robot_operator', r.machineId, r.keyId), ...organization(r) },
    newAuthorization: { ...role('robot_owner', r.machineId, r.keyId), ...organization(r) },
  }),
  listAuthorizations: organization,
  checkPermissions: (r) => ({
    permissions: [
      { resourceType: 'robot', resourceId: r.machineId, permissions: ['read_robot_logs'] },
    ],
  }),

  getRegistryItem: (r) => ({ itemId: r.itemId }),
  createRegistryItem: (r) => ({ ...organization(r), name: NEW, type: PackageType.ML_TRAINING }),
  updateRegistryItem: (r) => ({
    itemId: r.itemId,
    type: PackageType.ML_MODEL,
    visibility: Visibility.PUBLIC,
  }),
  listRegistryItems: organization,
  deleteRegistryItem: (r) => ({ itemId: r.itemId }),
  createModule: (r) => ({ ...organization(r), name: NEW }),
  updateModule: (r) => ({ moduleId: r.moduleId, entrypoint: NEW }),
  uploadModuleFile: (r) => ({
    moduleFile: {
      case: 'moduleFileInfo',
      value: { moduleId: r.moduleId, version: '1.0.0', platform: 'linux/amd64' },
    },
  }),
  getModule: (r) => ({ moduleId: r.moduleId }),
  listModules: organization,

  createKey: (r) => ({ authorizations: [role('robot_owner', r.machineId)] }),
  deleteKey: (r) => ({ id: r.keyId }),
  rotateKey: (r) => ({ id: r.keyId }),
  listKeys: (r) => ({ orgId: r.organizationId }),
  createKeyFromExistingKeyAuthorizations: (r) => ({ id: r.keyId }),
  getAppContent: (r) => ({ publicNamespace: r.publicNamespace, name: r.appName }),
};
