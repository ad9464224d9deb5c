import type { DescMessage, DescMethod, DescService, MessageShape } from '@bufbuild/protobuf';
import type { ResourceRef } from '../store/resourcePath';
import type { Permission } from './permissions';
import { QueryService } from '../../gen/fleetwright/query/v1/query_pb';
import { RolloutService } from '../../gen/fleetwright/rollout/v1/rollout_pb';
import { Health } from '../../gen/grpc/health/v1/health_pb';
import { ServerReflection } from '../../gen/grpc/reflection/v1/reflection_pb';
import { ServerReflection as ServerReflectionAlpha } from '../../gen/grpc/reflection/v1alpha/reflection_pb';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb';
import { DataService } from '../../gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import { DataSyncService } from '../../gen/viam/app/datasync/v1/data_sync_pb';
import { MLTrainingService } from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageService } from '../../gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../gen/viam/app/v1/app_pb';
import { RobotService } from '../../gen/viam/app/v1/robot_pb';

/** Requirement for callers of one RPC. */
export type AuthorizationRule =
  /** Any caller, signed in or not. */
  | { kind: 'public' }
  /** Any signed-in API key; machines are rejected. */
  | { kind: 'identity' }
  /** Any signed-in caller; the response contains only resources that the caller can read. */
  | { kind: 'filtered' }
  /** Any role in the organization. */
  | { kind: 'member'; organizationId: (request: never) => string }
  /**
   * The part that the request specifies, signed in with its own secret or its location's secret.
   */
  | { kind: 'self'; partId: (request: never) => string }
  /** A role that grants the permission on the resource in the request. */
  | { kind: 'permission'; permission: Permission; resource: (request: never) => ResourceRef };

type Request<M extends DescMethod> = MessageShape<M['input'] & DescMessage>;

/** Authorization rules of RPCs by name. Subclasses define the rules. */
abstract class AuthorizationRules {
  private readonly rules = new Map<string, AuthorizationRule>();
  private readonly serviceSet = new Set<DescService>();

  /** Returns the rule for an RPC; undefined if this service doesn't support the RPC. */
  ruleFor(method: DescMethod): AuthorizationRule | undefined {
    return this.rules.get(toMethodKey(method));
  }

  /** Returns the RPCs with a rule, as `package.Service/Method`. */
  methods(): string[] {
    return [...this.rules.keys()];
  }

  /** Returns the services that have at least one RPC with a rule. */
  services(): DescService[] {
    return [...this.serviceSet];
  }

  protected public(method: DescMethod): void {
    this.add(method, { kind: 'public' });
  }

  protected identity(method: DescMethod): void {
    this.add(method, { kind: 'identity' });
  }

  protected filtered(method: DescMethod): void {
    this.add(method, { kind: 'filtered' });
  }

  protected member<M extends DescMethod>(
    method: M,
    organizationId: (request: Request<M>) => string,
  ): void {
    this.add(method, { kind: 'member', organizationId });
  }

  protected self<M extends DescMethod>(method: M, partId: (request: Request<M>) => string): void {
    this.add(method, { kind: 'self', partId });
  }

  protected on<M extends DescMethod>(
    method: M,
    permission: Permission,
    resource: (request: Request<M>) => ResourceRef,
  ): void {
    this.add(method, { kind: 'permission', permission, resource });
  }

  private add(method: DescMethod, rule: AuthorizationRule): void {
    this.rules.set(toMethodKey(method), rule);
    this.serviceSet.add(method.parent);
  }
}

function toMethodKey(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/** Authorization table that is checked for every RPC. RPCs without a rule are rejected. */
export class AuthorizationTable extends AuthorizationRules {
  constructor() {
    super();
    const app = AppService.method;
    this.public(AuthService.method.authenticate);
    // Load balancers, orchestrators, and tools call these before they have a key.
    this.public(Health.method.check);
    this.public(Health.method.list);
    this.public(Health.method.watch);
    this.public(ServerReflection.method.serverReflectionInfo);
    this.public(ServerReflectionAlpha.method.serverReflectionInfo);

    this.filtered(app.getUserIDByEmail);
    this.filtered(app.listOrganizationsByUser);
    this.filtered(app.listOrganizations);
    this.filtered(app.checkPermissions);
    this.identity(app.createOrganization);
    this.identity(app.getOrganizationNamespaceAvailability);
    this.member(app.getOrganization, (r) => r.organizationId);
    this.on(app.updateOrganization, 'write_organization', (r) => organization(r.organizationId));
    this.on(app.deleteOrganization, 'write_organization', (r) => organization(r.organizationId));
    this.on(app.listOrganizationMembers, 'read_organization', (r) =>
      organization(r.organizationId),
    );
    this.on(app.deleteOrganizationMember, 'write_organization', (r) =>
      organization(r.organizationId),
    );
    this.on(app.createOrganizationInvite, 'write_organization', (r) =>
      organization(r.organizationId),
    );
    this.on(app.updateOrganizationInviteAuthorizations, 'write_organization', (r) =>
      organization(r.organizationId),
    );
    this.on(app.deleteOrganizationInvite, 'write_organization', (r) =>
      organization(r.organizationId),
    );
    this.on(app.resendOrganizationInvite, 'write_organization', (r) =>
      organization(r.organizationId),
    );
    this.on(app.getOrganizationMetadata, 'read_organization', (r) =>
      organization(r.organizationId),
    );
    this.on(app.updateOrganizationMetadata, 'write_organization', (r) =>
      organization(r.organizationId),
    );

    this.filtered(app.addRole);
    this.filtered(app.removeRole);
    this.filtered(app.changeRole);
    this.on(app.listAuthorizations, 'read_organization', (r) => organization(r.organizationId));
    this.on(app.getRobotAPIKeys, 'write_robot', (r) => robot(r.robotId));
    this.filtered(app.createKey);
    this.filtered(app.deleteKey);
    this.filtered(app.rotateKey);
    this.filtered(app.createKeyFromExistingKeyAuthorizations);
    this.on(app.listKeys, 'write_organization', (r) => organization(r.orgId));

    this.on(app.createLocation, 'write_location', (r) =>
      r.parentLocationId ? location(r.parentLocationId) : organization(r.organizationId),
    );
    this.member(app.listLocations, (r) => r.organizationId);
    this.filtered(app.getLocation);
    this.on(app.updateLocation, 'write_location', (r) => location(r.locationId));
    this.on(app.deleteLocation, 'write_location', (r) => location(r.locationId));
    this.on(app.getLocationMetadata, 'read_location', (r) => location(r.locationId));
    this.on(app.updateLocationMetadata, 'write_location', (r) => location(r.locationId));

    this.on(app.shareLocation, 'write_location', (r) => location(r.locationId));
    this.on(app.unshareLocation, 'write_location', (r) => location(r.locationId));
    this.on(app.getOrganizationsWithAccessToLocation, 'read_location', (r) =>
      location(r.locationId),
    );

    this.on(app.locationAuth, 'read_location_secret', (r) => location(r.locationId));
    this.on(app.createLocationSecret, 'write_location', (r) => location(r.locationId));
    this.on(app.deleteLocationSecret, 'write_location', (r) => location(r.locationId));

    this.filtered(app.listRobots);
    this.member(app.listMachineSummaries, (r) => r.organizationId);
    this.on(app.newRobot, 'write_robot', (r) => location(r.location));
    this.on(app.getRobot, 'read_robot', (r) => robot(r.id));
    this.on(app.updateRobot, 'write_robot', (r) => robot(r.id));
    this.on(app.deleteRobot, 'write_robot', (r) => robot(r.id));
    this.on(app.getRobotMetadata, 'read_robot', (r) => robot(r.id));
    this.on(app.updateRobotMetadata, 'write_robot', (r) => robot(r.id));

    this.on(app.getRobotParts, 'read_robot', (r) => robot(r.robotId));
    this.on(app.newRobotPart, 'write_robot', (r) => robot(r.robotId));
    this.on(app.getRobotPart, 'read_robot', (r) => part(r.id));
    this.on(app.getRobotPartHistory, 'read_robot_history', (r) => part(r.id));
    this.on(app.updateRobotPart, 'write_robot', (r) => part(r.id));
    this.on(app.deleteRobotPart, 'write_robot', (r) => part(r.partId));
    this.on(app.markPartAsMain, 'write_robot', (r) => part(r.partId));
    this.on(app.markPartForRestart, 'control_robot', (r) => part(r.partId));
    this.on(app.getRobotPartMetadata, 'read_robot', (r) => part(r.id));
    this.on(app.updateRobotPartMetadata, 'write_robot', (r) => part(r.id));

    this.on(app.createRobotPartSecret, 'write_robot', (r) => part(r.partId));
    this.on(app.deleteRobotPartSecret, 'write_robot', (r) => part(r.partId));

    this.on(app.getRobotPartLogs, 'read_robot_logs', (r) => part(r.id));
    this.filtered(app.tailRobotPartLogs);

    this.self(RobotService.method.needsRestart, (r) => r.id);
    this.self(RobotService.method.log, (r) => r.id);
    this.self(RobotService.method.config, (r) => r.id);
    this.self(RobotService.method.certificate, (r) => r.id);

    this.filtered(app.listFragments);
    this.on(app.listMachineFragments, 'read_robot_config', (r) => robot(r.machineId));
    this.on(app.createFragment, 'write_fragment', (r) => organization(r.organizationId));
    this.on(app.getFragment, 'read_fragment', (r) => fragment(r.id));
    this.on(app.getFragmentHistory, 'read_fragment', (r) => fragment(r.id));
    this.on(app.updateFragment, 'write_fragment', (r) => fragment(r.id));
    this.on(RolloutService.method.listFragmentRollout, 'read_fragment', (r) =>
      fragment(r.fragmentId),
    );
    this.on(app.deleteFragment, 'write_fragment', (r) => fragment(r.id));

    this.filtered(app.getRegistryItem);
    this.on(app.createRegistryItem, 'write_private_registry_item', (r) =>
      organization(r.organizationId),
    );
    this.filtered(app.updateRegistryItem);
    this.filtered(app.listRegistryItems);
    this.filtered(app.deleteRegistryItem);
    this.on(app.createModule, 'write_private_registry_item', (r) => organization(r.organizationId));
    this.filtered(app.updateModule);
    this.filtered(app.uploadModuleFile);
    this.filtered(app.getModule);
    this.member(app.listModules, (r) => r.organizationId ?? '');
    this.filtered(app.getAppContent);
    const packages = PackageService.method;
    this.filtered(packages.createPackage);
    this.filtered(packages.getPackage);
    this.on(packages.listPackages, 'read_packages', (r) => organization(r.organizationId));
    this.filtered(packages.deletePackage);
    this.addData();
    this.addTraining();
  }

  // A call's items aren't in a single field, so the handlers for captured data check the
  // permissions for them.
  private addData(): void {
    const sync = DataSyncService.method;
    this.on(sync.dataCaptureUpload, 'write_robot_data_management', (r) =>
      part(r.metadata?.partId ?? ''),
    );
    this.filtered(sync.fileUpload);
    this.filtered(sync.streamingDataCaptureUpload);

    const data = DataService.method;
    this.identity(data.getLatestTabularData);
    this.identity(data.exportTabularData);
    this.identity(data.tabularDataByFilter);
    this.on(data.tabularDataBySQL, 'read_organization_data_management', (r) =>
      organization(r.organizationId),
    );
    this.on(data.tabularDataByMQL, 'read_organization_data_management', (r) =>
      organization(r.organizationId),
    );
    this.on(
      QueryService.method.streamTabularData,
      'read_organization_data_management',
      ({ query }) => organization(query.value?.organizationId ?? ''),
    );
    this.on(data.deleteTabularData, 'write_organization_data_management', (r) =>
      organization(r.organizationId),
    );
    this.identity(data.binaryDataByFilter);
    this.identity(data.binaryDataByIDs);
    this.identity(data.deleteBinaryDataByFilter);
    this.identity(data.deleteBinaryDataByIDs);
    this.identity(data.addTagsToBinaryDataByIDs);
    this.identity(data.addTagsToBinaryDataByFilter);
    this.identity(data.removeTagsFromBinaryDataByIDs);
    this.identity(data.removeTagsFromBinaryDataByFilter);
    this.identity(data.tagsByFilter);
    this.identity(data.addBoundingBoxToImageByID);
    this.identity(data.removeBoundingBoxFromImageByID);
    this.identity(data.boundingBoxLabelsByFilter);
    this.on(data.getDatabaseConnection, 'get_database_connection', (r) =>
      organization(r.organizationId),
    );
    this.on(data.configureDatabaseUser, 'configure_database_user', (r) =>
      organization(r.organizationId),
    );
    this.on(data.addBinaryDataToDatasetByIDs, 'list_dataset', (r) => dataset(r.datasetId));
    this.on(data.removeBinaryDataFromDatasetByIDs, 'list_dataset', (r) => dataset(r.datasetId));

    const datasets = DatasetService.method;
    this.on(datasets.createDataset, 'create_dataset', (r) => organization(r.organizationId));
    this.on(datasets.deleteDataset, 'delete_dataset', (r) => dataset(r.id));
    this.on(datasets.renameDataset, 'rename_dataset', (r) => dataset(r.id));
    this.on(datasets.listDatasetsByOrganizationID, 'list_dataset', (r) =>
      organization(r.organizationId),
    );
    this.identity(datasets.listDatasetsByIDs);
  }

  // The spec requires an owner of the organization even for read operations (part 2,
  // authentication).
  private addTraining(): void {
    const training = MLTrainingService.method;
    this.on(training.submitTrainingJob, 'train_models', (r) => organization(r.organizationId));
    this.on(training.submitCustomTrainingJob, 'train_models', (r) =>
      organization(r.organizationId),
    );
    this.on(training.listTrainingJobs, 'train_models', (r) => organization(r.organizationId));
    this.on(training.getTrainingJob, 'train_models', (r) => trainingJob(r.id));
    this.on(training.cancelTrainingJob, 'train_models', (r) => trainingJob(r.id));
    this.on(training.deleteCompletedTrainingJob, 'train_models', (r) => trainingJob(r.id));
    this.on(training.getTrainingJobLogs, 'train_models', (r) => trainingJob(r.id));
  }
}

function organization(id: string): ResourceRef {
  return { type: 'organization', id };
}

function location(id: string): ResourceRef {
  return { type: 'location', id };
}

function robot(id: string): ResourceRef {
  return { type: 'robot', id };
}

function part(id: string): ResourceRef {
  return { type: 'part', id };
}

function fragment(id: string): ResourceRef {
  return { type: 'fragment', id };
}

function dataset(id: string): ResourceRef {
  return { type: 'dataset', id };
}

function trainingJob(id: string): ResourceRef {
  return { type: 'trainingJob', id };
}
