import { Code, ConnectError } from '@connectrpc/connect';
import type { Localizer } from '../../base/localizer';
import { endSentence, FleetError, type FleetErrorAction, type FleetErrorKind } from './errors';
import {
  closedConnectionError,
  networkError,
  PING_TIMED_OUT,
  silentServiceError,
} from './networkError';

/** Details of a failed call, for the error message. */
export interface FailedCall {
  /** Name of the RPC, such as `ListRobots`. */
  readonly method: string;
  readonly baseUrl: string;
  /** True if the caller has stopped waiting. */
  readonly aborted: boolean;
  readonly l10n: Localizer;
}

const KINDS: Readonly<Partial<Record<Code, FleetErrorKind>>> = {
  [Code.Unauthenticated]: 'unauthenticated',
  [Code.PermissionDenied]: 'permission',
  [Code.NotFound]: 'notFound',
  [Code.Aborted]: 'conflict',
  [Code.FailedPrecondition]: 'conflict',
  [Code.AlreadyExists]: 'invalid',
  [Code.InvalidArgument]: 'invalid',
  [Code.OutOfRange]: 'invalid',
  [Code.Unavailable]: 'unavailable',
  [Code.DeadlineExceeded]: 'unavailable',
  [Code.ResourceExhausted]: 'unavailable',
  [Code.Unimplemented]: 'unsupported',
  [Code.DataLoss]: 'damaged',
};

const ACTIONS: Readonly<Partial<Record<FleetErrorKind, FleetErrorAction>>> = {
  unauthenticated: 'signIn',
  unavailable: 'retry',
  internal: 'showLog',
};

/** Converts anything that a call threw to a `FleetError` with a message for users. */
export function toCallError(error: unknown, call: FailedCall): FleetError {
  const { method, baseUrl, l10n } = call;
  if (call.aborted) {
    const message = `${describeFailedCall(method, l10n)} ${l10n.t('The request was canceled.')}`;
    return new FleetError('canceled', message, { cause: error });
  }
  const known = findFleetError(error);
  if (known) return known;
  const network = networkError(error, baseUrl, l10n);
  if (network) return network;
  const failure = ConnectError.from(error);
  // The caller's own abort is handled above.
  if (failure.code === Code.Canceled) return closedConnectionError(error, baseUrl, l10n);
  if (failure.rawMessage === PING_TIMED_OUT) return silentServiceError(error, baseUrl, l10n);
  const kind = KINDS[failure.code] ?? 'internal';
  return new FleetError(kind, formatFailedCall(method, failure.code, failure.rawMessage, l10n), {
    cause: error,
    action: ACTIONS[kind],
    requestId: getRequestId(error),
    serviceMessage: failure.rawMessage,
  });
}

/** Finds the error that an interceptor threw, which the transport wraps in a ConnectError. */
function findFleetError(error: unknown): FleetError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof FleetError) return current;
  }
  return undefined;
}

type Describe = (l10n: Localizer) => string;

/** Describes a failed call to users in whole sentences: what failed, why, and what to do. */
export function formatFailedCall(
  method: string,
  code: Code,
  serviceMessage: string,
  l10n: Localizer,
): string {
  return `${describeFailedCall(method, l10n)} ${describeReason(code, serviceMessage, l10n)}`;
}

/** Returns a sentence stating that a call of `method`, such as `ListRobots`, failed. */
export function describeFailedCall(method: string, l10n: Localizer): string {
  return FAILED_CALLS[method]?.(l10n) ?? l10n.t("The service couldn't complete {0}.", method);
}

/**
 * Returns the client's own sentence if the error code is specific enough. For other codes, only the
 * service's message explains the reason and the next step.
 */
function describeReason(code: Code, serviceMessage: string, l10n: Localizer): string {
  switch (code) {
    case Code.Unauthenticated:
      return l10n.t('Your API key is not valid, or you are no longer signed in. Sign in again.');
    case Code.PermissionDenied:
      return l10n.t(
        "You don't have permission to do this. Ask an owner of the organization for a role that includes it.",
      );
    case Code.NotFound:
      return l10n.t("The resource was deleted, or you don't have permission to view it.");
    case Code.Aborted:
      return l10n.t('Another user changed the resource at the same time. Refresh and try again.');
    case Code.DeadlineExceeded:
      // Messages of this form come from the client's own deadline or from a proxy.
      return serviceMessage === '' || /timed out$|^HTTP \d+/.test(serviceMessage)
        ? l10n.t("The service didn't respond in time. Try again.")
        : toSentence(serviceMessage);
    case Code.Internal:
    case Code.Unknown:
      return l10n.t('The service reported an internal error. The service log has the details.');
    case Code.Unavailable:
      // A proxy or load balancer in front of the service reports only an HTTP status.
      return serviceMessage === '' || /^HTTP \d+/.test(serviceMessage)
        ? l10n.t('The service is not available right now. Try again later.')
        : toSentence(serviceMessage);
    default:
      return toSentence(serviceMessage || Code[code]);
  }
}

/**
 * Formats a message as a sentence. Converts the name of a request's field at its start to words.
 * Doesn't change a path in a document, such as `config.components`, or another identifier.
 */
function toSentence(text: string): string {
  const [, field] = /^([a-z]+(?:_[a-z]+)*): /.exec(text) ?? [];
  const words = field
    ?.replaceAll('_', ' ')
    .replace(/\b(?:id|url|sql|mql)(?=s?\b)/g, (word) => word.toUpperCase());
  const sentence = words === undefined ? text : words + text.slice(words.length);
  const startsWithWord = words !== undefined || /^[a-z]+(?=[\s,;])/.test(text);
  return endSentence(
    startsWithWord ? sentence.slice(0, 1).toUpperCase() + sentence.slice(1) : text,
  );
}

const FAILED_CALLS: Readonly<Partial<Record<string, Describe>>> = {
  Authenticate: (l10n) => l10n.t("Couldn't sign in."),

  // Organizations and members
  CreateOrganization: (l10n) => l10n.t("Couldn't create the organization."),
  ListOrganizations: (l10n) => l10n.t("Couldn't list the organizations."),
  ListOrganizationsByUser: (l10n) => l10n.t("Couldn't list the organizations."),
  GetOrganizationsWithAccessToLocation: (l10n) =>
    l10n.t("Couldn't list the organizations with access to the location."),
  GetOrganization: (l10n) => l10n.t("Couldn't load the organization."),
  GetOrganizationNamespaceAvailability: (l10n) => l10n.t("Couldn't check the namespace."),
  UpdateOrganization: (l10n) => l10n.t("Couldn't update the organization."),
  DeleteOrganization: (l10n) => l10n.t("Couldn't delete the organization."),
  ListOrganizationMembers: (l10n) => l10n.t("Couldn't list the members."),
  GetUserIDByEmail: (l10n) => l10n.t("Couldn't find the user."),
  DeleteOrganizationMember: (l10n) => l10n.t("Couldn't remove the member."),
  CreateOrganizationInvite: (l10n) => l10n.t("Couldn't invite the member."),
  UpdateOrganizationInviteAuthorizations: (l10n) => l10n.t("Couldn't update the invitation."),
  DeleteOrganizationInvite: (l10n) => l10n.t("Couldn't revoke the invitation."),
  ResendOrganizationInvite: (l10n) => l10n.t("Couldn't resend the invitation."),

  // Locations
  CreateLocation: (l10n) => l10n.t("Couldn't create the location."),
  GetLocation: (l10n) => l10n.t("Couldn't load the location."),
  UpdateLocation: (l10n) => l10n.t("Couldn't update the location."),
  DeleteLocation: (l10n) => l10n.t("Couldn't delete the location."),
  ListLocations: (l10n) => l10n.t("Couldn't list the locations."),
  ShareLocation: (l10n) => l10n.t("Couldn't share the location."),
  UnshareLocation: (l10n) => l10n.t("Couldn't stop sharing the location."),
  LocationAuth: (l10n) => l10n.t("Couldn't load the location secrets."),
  CreateLocationSecret: (l10n) => l10n.t("Couldn't create the secret."),
  DeleteLocationSecret: (l10n) => l10n.t("Couldn't delete the secret."),

  // Machines and parts
  NewRobot: (l10n) => l10n.t("Couldn't create the machine."),
  GetRobot: (l10n) => l10n.t("Couldn't load the machine."),
  UpdateRobot: (l10n) => l10n.t("Couldn't update the machine."),
  DeleteRobot: (l10n) => l10n.t("Couldn't delete the machine."),
  ListRobots: (l10n) => l10n.t("Couldn't list the machines."),
  ListMachineSummaries: (l10n) => l10n.t("Couldn't list the machines."),
  GetRobotAPIKeys: (l10n) => l10n.t("Couldn't list the API keys of the machine."),
  NewRobotPart: (l10n) => l10n.t("Couldn't create the part."),
  GetRobotPart: (l10n) => l10n.t("Couldn't load the part."),
  GetRobotParts: (l10n) => l10n.t("Couldn't list the parts."),
  UpdateRobotPart: (l10n) => l10n.t("Couldn't update the part."),
  DeleteRobotPart: (l10n) => l10n.t("Couldn't delete the part."),
  GetRobotPartHistory: (l10n) => l10n.t("Couldn't load the history of the part."),
  MarkPartAsMain: (l10n) => l10n.t("Couldn't set the main part."),
  MarkPartForRestart: (l10n) => l10n.t("Couldn't restart the part."),
  CreateRobotPartSecret: (l10n) => l10n.t("Couldn't create the secret."),
  DeleteRobotPartSecret: (l10n) => l10n.t("Couldn't delete the secret."),
  GetRobotPartLogs: (l10n) => l10n.t("Couldn't load the logs."),
  TailRobotPartLogs: (l10n) => l10n.t("Couldn't follow the logs."),

  // Metadata
  GetOrganizationMetadata: (l10n) => l10n.t("Couldn't load the metadata."),
  UpdateOrganizationMetadata: (l10n) => l10n.t("Couldn't save the metadata."),
  GetLocationMetadata: (l10n) => l10n.t("Couldn't load the metadata."),
  UpdateLocationMetadata: (l10n) => l10n.t("Couldn't save the metadata."),
  GetRobotMetadata: (l10n) => l10n.t("Couldn't load the metadata."),
  UpdateRobotMetadata: (l10n) => l10n.t("Couldn't save the metadata."),
  GetRobotPartMetadata: (l10n) => l10n.t("Couldn't load the metadata."),
  UpdateRobotPartMetadata: (l10n) => l10n.t("Couldn't save the metadata."),

  // Fragments
  ListFragments: (l10n) => l10n.t("Couldn't list the fragments."),
  ListMachineFragments: (l10n) => l10n.t("Couldn't list the machine's fragments."),
  ListFragmentRollout: (l10n) => l10n.t("Couldn't load the rollout of the fragment."),
  GetFragment: (l10n) => l10n.t("Couldn't load the fragment."),
  CreateFragment: (l10n) => l10n.t("Couldn't create the fragment."),
  UpdateFragment: (l10n) => l10n.t("Couldn't update the fragment."),
  DeleteFragment: (l10n) => l10n.t("Couldn't delete the fragment."),
  GetFragmentHistory: (l10n) => l10n.t("Couldn't load the history of the fragment."),

  // Roles and API keys
  AddRole: (l10n) => l10n.t("Couldn't assign the role."),
  ChangeRole: (l10n) => l10n.t("Couldn't change the role."),
  RemoveRole: (l10n) => l10n.t("Couldn't remove the role."),
  ListAuthorizations: (l10n) => l10n.t("Couldn't list the roles."),
  CheckPermissions: (l10n) => l10n.t("Couldn't check your permissions."),
  ListKeys: (l10n) => l10n.t("Couldn't list the API keys."),
  CreateKey: (l10n) => l10n.t("Couldn't create the API key."),
  CreateKeyFromExistingKeyAuthorizations: (l10n) => l10n.t("Couldn't duplicate the API key."),
  DeleteKey: (l10n) => l10n.t("Couldn't delete the API key."),
  RotateKey: (l10n) => l10n.t("Couldn't rotate the API key."),

  // Captured data
  BinaryDataByFilter: (l10n) => l10n.t("Couldn't load the captured data."),
  BinaryDataByIDs: (l10n) => l10n.t("Couldn't load the captured data."),
  DeleteBinaryDataByFilter: (l10n) => l10n.t("Couldn't delete the captured data."),
  DeleteBinaryDataByIDs: (l10n) => l10n.t("Couldn't delete the captured data."),
  TagsByFilter: (l10n) => l10n.t("Couldn't list the tags."),
  AddTagsToBinaryDataByFilter: (l10n) => l10n.t("Couldn't add the tags."),
  AddTagsToBinaryDataByIDs: (l10n) => l10n.t("Couldn't add the tags."),
  RemoveTagsFromBinaryDataByFilter: (l10n) => l10n.t("Couldn't remove the tags."),
  RemoveTagsFromBinaryDataByIDs: (l10n) => l10n.t("Couldn't remove the tags."),
  BoundingBoxLabelsByFilter: (l10n) => l10n.t("Couldn't list the labels."),
  AddBoundingBoxToImageByID: (l10n) => l10n.t("Couldn't add the bounding box."),
  RemoveBoundingBoxFromImageByID: (l10n) => l10n.t("Couldn't remove the bounding box."),
  DataCaptureUpload: (l10n) => l10n.t("Couldn't upload the data."),
  StreamingDataCaptureUpload: (l10n) => l10n.t("Couldn't upload the data."),
  FileUpload: (l10n) => l10n.t("Couldn't upload the file."),

  // Sensor data and queries
  TabularDataByFilter: (l10n) => l10n.t("Couldn't load the readings."),
  GetLatestTabularData: (l10n) => l10n.t("Couldn't load the readings."),
  ExportTabularData: (l10n) => l10n.t("Couldn't export the readings."),
  DeleteTabularData: (l10n) => l10n.t("Couldn't delete the readings."),
  TabularDataBySQL: (l10n) => l10n.t("Couldn't run the query."),
  TabularDataByMQL: (l10n) => l10n.t("Couldn't run the query."),
  StreamTabularData: (l10n) => l10n.t("Couldn't run the query."),
  GetDatabaseConnection: (l10n) => l10n.t("Couldn't load the database connection."),
  ConfigureDatabaseUser: (l10n) => l10n.t("Couldn't set the database password."),

  // Datasets and training
  CreateDataset: (l10n) => l10n.t("Couldn't create the dataset."),
  DeleteDataset: (l10n) => l10n.t("Couldn't delete the dataset."),
  RenameDataset: (l10n) => l10n.t("Couldn't rename the dataset."),
  ListDatasetsByIDs: (l10n) => l10n.t("Couldn't list the datasets."),
  ListDatasetsByOrganizationID: (l10n) => l10n.t("Couldn't list the datasets."),
  AddBinaryDataToDatasetByIDs: (l10n) => l10n.t("Couldn't add the images to the dataset."),
  RemoveBinaryDataFromDatasetByIDs: (l10n) =>
    l10n.t("Couldn't remove the images from the dataset."),
  SubmitTrainingJob: (l10n) => l10n.t("Couldn't submit the training job."),
  SubmitCustomTrainingJob: (l10n) => l10n.t("Couldn't submit the training job."),
  GetTrainingJob: (l10n) => l10n.t("Couldn't load the training job."),
  ListTrainingJobs: (l10n) => l10n.t("Couldn't list the training jobs."),
  CancelTrainingJob: (l10n) => l10n.t("Couldn't cancel the training job."),
  DeleteCompletedTrainingJob: (l10n) => l10n.t("Couldn't delete the training job."),
  GetTrainingJobLogs: (l10n) => l10n.t("Couldn't load the log of the training job."),

  // Registry
  GetRegistryItem: (l10n) => l10n.t("Couldn't load the registry item."),
  CreateRegistryItem: (l10n) => l10n.t("Couldn't create the registry item."),
  UpdateRegistryItem: (l10n) => l10n.t("Couldn't update the registry item."),
  ListRegistryItems: (l10n) => l10n.t("Couldn't list the registry items."),
  DeleteRegistryItem: (l10n) => l10n.t("Couldn't delete the registry item."),
  CreateModule: (l10n) => l10n.t("Couldn't create the module."),
  UpdateModule: (l10n) => l10n.t("Couldn't update the module."),
  UploadModuleFile: (l10n) => l10n.t("Couldn't upload the module."),
  GetModule: (l10n) => l10n.t("Couldn't load the module."),
  ListModules: (l10n) => l10n.t("Couldn't list the modules."),
  CreatePackage: (l10n) => l10n.t("Couldn't upload the package."),
  DeletePackage: (l10n) => l10n.t("Couldn't delete the package."),
  GetPackage: (l10n) => l10n.t("Couldn't load the package."),
  ListPackages: (l10n) => l10n.t("Couldn't list the packages."),
};

const HEADER = 'x-request-id';
/** Format of the request IDs that services create. Anything else must not be logged. */
const ID = /^[\w-]{1,64}$/;

/**
 * Returns the ID that identifies a failed call in the service's log; undefined if the error doesn't
 * contain one.
 */
export function getRequestId(error: unknown): string | undefined {
  const id = error instanceof ConnectError ? error.metadata.get(HEADER) : null;
  return id !== null && ID.test(id) ? id : undefined;
}
