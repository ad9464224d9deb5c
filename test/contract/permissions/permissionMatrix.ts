/** The callers, which are the columns of the matrix. */
export const CALLERS = [
  'noToken',
  'otherOwner',
  'operator',
  'machineOwner',
  'locationOwner',
  'machine',
  'owner',
] as const;
export type Caller = (typeof CALLERS)[number];

/**
 * Permissions by RPC and caller. Each row is an RPC that seven callers call about the same
 * resources of one organization: without a token, the owner of another organization, an operator of
 * the organization, API keys that own one machine or one location of it, that machine with its own
 * secret, and an owner.
 *
 * - `ok`: allowed; reads return something
 * - `empty`: allowed, but the response contains nothing about the organization
 * - `unauthenticated`: the token is missing
 * - `notFound`: rejected as if the resource didn't exist
 * - `denied`: the caller can see the resource but doesn't have the required role
 * - `unimplemented`: the service doesn't support the RPC yet
 */
const PERMISSION_MATRIX = `
RPC                                                     noToken         otherOwner    operator      machineOwner  locationOwner machine       owner
DataSyncService/DataCaptureUpload                       unauthenticated notFound      denied        ok            ok            ok            ok
DataSyncService/FileUpload                              unauthenticated notFound      denied        ok            ok            ok            ok
DataSyncService/StreamingDataCaptureUpload              unauthenticated notFound      denied        ok            ok            ok            ok
DataService/GetLatestTabularData                        unauthenticated notFound      ok            ok            ok            denied        ok
DataService/ExportTabularData                           unauthenticated notFound      ok            ok            ok            denied        ok
DataService/TabularDataByFilter                         unauthenticated empty         ok            ok            ok            denied        ok
DataService/TabularDataBySQL                            unauthenticated notFound      ok            denied        denied        denied        ok
DataService/TabularDataByMQL                            unauthenticated notFound      ok            denied        denied        denied        ok
QueryService/StreamTabularData                          unauthenticated notFound      ok            denied        denied        denied        ok
DataService/BinaryDataByFilter                          unauthenticated empty         ok            ok            ok            denied        ok
DataService/BinaryDataByIDs                             unauthenticated notFound      ok            ok            ok            denied        ok
DataService/DeleteTabularData                           unauthenticated notFound      denied        denied        denied        denied        ok
DataService/DeleteBinaryDataByFilter                    unauthenticated notFound      denied        ok            ok            denied        ok
DataService/DeleteBinaryDataByIDs                       unauthenticated notFound      denied        ok            ok            denied        ok
DataService/AddTagsToBinaryDataByIDs                    unauthenticated notFound      denied        ok            ok            denied        ok
DataService/AddTagsToBinaryDataByFilter                 unauthenticated notFound      denied        ok            ok            denied        ok
DataService/RemoveTagsFromBinaryDataByIDs               unauthenticated notFound      denied        ok            ok            denied        ok
DataService/RemoveTagsFromBinaryDataByFilter            unauthenticated notFound      denied        ok            ok            denied        ok
DataService/TagsByFilter                                unauthenticated empty         ok            ok            ok            denied        ok
DataService/AddBoundingBoxToImageByID                   unauthenticated notFound      denied        ok            ok            denied        ok
DataService/RemoveBoundingBoxFromImageByID              unauthenticated notFound      denied        ok            ok            denied        ok
DataService/BoundingBoxLabelsByFilter                   unauthenticated empty         ok            ok            ok            denied        ok
DataService/GetDatabaseConnection                       unauthenticated notFound      ok            denied        denied        denied        ok
DataService/ConfigureDatabaseUser                       unauthenticated notFound      denied        denied        denied        denied        ok
DatasetService/CreateDataset                            unauthenticated notFound      denied        denied        denied        denied        ok
DatasetService/DeleteDataset                            unauthenticated notFound      denied        notFound      notFound      notFound      ok
DatasetService/RenameDataset                            unauthenticated notFound      denied        notFound      notFound      notFound      ok
DatasetService/ListDatasetsByOrganizationID             unauthenticated notFound      ok            denied        denied        denied        ok
DatasetService/ListDatasetsByIDs                        unauthenticated notFound      ok            notFound      notFound      denied        ok
DataService/AddBinaryDataToDatasetByIDs                 unauthenticated notFound      denied        notFound      notFound      notFound      ok
DataService/RemoveBinaryDataFromDatasetByIDs            unauthenticated notFound      denied        notFound      notFound      notFound      ok
MLTrainingService/SubmitTrainingJob                     unauthenticated notFound      denied        denied        denied        denied        ok
MLTrainingService/SubmitCustomTrainingJob               unauthenticated notFound      denied        denied        denied        denied        ok
MLTrainingService/GetTrainingJob                        unauthenticated notFound      denied        notFound      notFound      notFound      ok
MLTrainingService/ListTrainingJobs                      unauthenticated notFound      denied        denied        denied        denied        ok
MLTrainingService/CancelTrainingJob                     unauthenticated notFound      denied        notFound      notFound      notFound      ok
MLTrainingService/DeleteCompletedTrainingJob            unauthenticated notFound      denied        notFound      notFound      notFound      ok
MLTrainingService/GetTrainingJobLogs                    unauthenticated notFound      denied        notFound      notFound      notFound      ok
AppService/GetUserIDByEmail                             unauthenticated notFound      ok            notFound      notFound      notFound      ok
AppService/CreateOrganization                           unauthenticated ok            ok            ok            ok            denied        ok
AppService/ListOrganizations                            unauthenticated empty         ok            ok            ok            ok            ok
AppService/GetOrganizationsWithAccessToLocation         unauthenticated notFound      ok            denied        ok            denied        ok
AppService/ListOrganizationsByUser                      unauthenticated empty         ok            empty         empty         empty         ok
AppService/GetOrganization                              unauthenticated notFound      ok            ok            ok            ok            ok
AppService/GetOrganizationNamespaceAvailability         unauthenticated ok            ok            ok            ok            denied        ok
AppService/UpdateOrganization                           unauthenticated notFound      denied        denied        denied        denied        ok
AppService/DeleteOrganization                           unauthenticated notFound      denied        denied        denied        denied        ok
AppService/ListOrganizationMembers                      unauthenticated notFound      ok            denied        denied        denied        ok
AppService/CreateOrganizationInvite                     unauthenticated notFound      denied        denied        denied        denied        ok
AppService/UpdateOrganizationInviteAuthorizations       unauthenticated notFound      denied        denied        denied        denied        ok
AppService/DeleteOrganizationMember                     unauthenticated notFound      denied        denied        denied        denied        ok
AppService/DeleteOrganizationInvite                     unauthenticated notFound      denied        denied        denied        denied        ok
AppService/ResendOrganizationInvite                     unauthenticated notFound      denied        denied        denied        denied        ok
AppService/GetOrganizationMetadata                      unauthenticated notFound      ok            denied        denied        denied        ok
AppService/UpdateOrganizationMetadata                   unauthenticated notFound      denied        denied        denied        denied        ok
AppService/CreateLocation                               unauthenticated notFound      denied        denied        denied        denied        ok
AppService/GetLocation                                  unauthenticated notFound      ok            ok            ok            ok            ok
AppService/UpdateLocation                               unauthenticated notFound      denied        denied        ok            denied        ok
AppService/DeleteLocation                               unauthenticated notFound      denied        denied        ok            denied        ok
AppService/ListLocations                                unauthenticated notFound      ok            ok            ok            ok            ok
AppService/ShareLocation                                unauthenticated notFound      denied        denied        ok            denied        ok
AppService/UnshareLocation                              unauthenticated notFound      denied        denied        ok            denied        ok
AppService/LocationAuth                                 unauthenticated notFound      denied        denied        ok            denied        ok
AppService/CreateLocationSecret                         unauthenticated notFound      denied        denied        ok            denied        ok
AppService/DeleteLocationSecret                         unauthenticated notFound      denied        denied        ok            denied        ok
AppService/GetLocationMetadata                          unauthenticated notFound      ok            denied        ok            denied        ok
AppService/UpdateLocationMetadata                       unauthenticated notFound      denied        denied        ok            denied        ok
AppService/GetRobot                                     unauthenticated notFound      ok            ok            ok            ok            ok
AppService/GetRobotAPIKeys                              unauthenticated notFound      denied        ok            ok            denied        ok
AppService/GetRobotParts                                unauthenticated notFound      ok            ok            ok            ok            ok
AppService/GetRobotPart                                 unauthenticated notFound      ok            ok            ok            ok            ok
AppService/GetRobotPartLogs                             unauthenticated notFound      empty         empty         empty         denied        empty
AppService/TailRobotPartLogs                            unauthenticated notFound      empty         empty         empty         denied        empty
AppService/GetRobotPartHistory                          unauthenticated notFound      ok            ok            ok            denied        ok
AppService/UpdateRobotPart                              unauthenticated notFound      denied        ok            ok            denied        ok
AppService/NewRobotPart                                 unauthenticated notFound      denied        ok            ok            denied        ok
AppService/DeleteRobotPart                              unauthenticated notFound      denied        ok            ok            denied        ok
AppService/MarkPartAsMain                               unauthenticated notFound      denied        ok            ok            denied        ok
AppService/MarkPartForRestart                           unauthenticated notFound      ok            ok            ok            denied        ok
AppService/CreateRobotPartSecret                        unauthenticated notFound      denied        ok            ok            denied        ok
AppService/DeleteRobotPartSecret                        unauthenticated notFound      denied        ok            ok            denied        ok
AppService/ListRobots                                   unauthenticated notFound      ok            ok            ok            ok            ok
AppService/NewRobot                                     unauthenticated notFound      denied        denied        ok            denied        ok
AppService/UpdateRobot                                  unauthenticated notFound      denied        ok            ok            denied        ok
AppService/DeleteRobot                                  unauthenticated notFound      denied        ok            ok            denied        ok
AppService/GetRobotMetadata                             unauthenticated notFound      ok            ok            ok            ok            ok
AppService/GetRobotPartMetadata                         unauthenticated notFound      ok            ok            ok            ok            ok
AppService/UpdateRobotMetadata                          unauthenticated notFound      denied        ok            ok            denied        ok
AppService/UpdateRobotPartMetadata                      unauthenticated notFound      denied        ok            ok            denied        ok
AppService/ListFragments                                unauthenticated notFound      ok            empty         empty         empty         ok
AppService/ListMachineFragments                         unauthenticated notFound      ok            ok            ok            ok            ok
AppService/ListMachineSummaries                         unauthenticated notFound      ok            ok            ok            ok            ok
RolloutService/ListFragmentRollout                      unauthenticated notFound      ok            notFound      notFound      notFound      ok
AppService/GetFragment                                  unauthenticated notFound      ok            notFound      notFound      notFound      ok
AppService/CreateFragment                               unauthenticated notFound      denied        denied        denied        denied        ok
AppService/UpdateFragment                               unauthenticated notFound      denied        notFound      notFound      notFound      ok
AppService/DeleteFragment                               unauthenticated notFound      denied        notFound      notFound      notFound      ok
AppService/GetFragmentHistory                           unauthenticated notFound      ok            notFound      notFound      notFound      ok
AppService/AddRole                                      unauthenticated notFound      denied        ok            ok            denied        ok
AppService/RemoveRole                                   unauthenticated notFound      denied        ok            ok            denied        ok
AppService/ChangeRole                                   unauthenticated notFound      denied        ok            ok            denied        ok
AppService/ListAuthorizations                           unauthenticated notFound      ok            denied        denied        denied        ok
AppService/CheckPermissions                             unauthenticated empty         ok            ok            ok            empty         ok
AppService/GetRegistryItem                              unauthenticated notFound      ok            notFound      notFound      notFound      ok
AppService/CreateRegistryItem                           unauthenticated notFound      denied        denied        denied        denied        ok
AppService/UpdateRegistryItem                           unauthenticated notFound      denied        notFound      notFound      notFound      ok
AppService/ListRegistryItems                            unauthenticated empty         ok            empty         empty         empty         ok
AppService/DeleteRegistryItem                           unauthenticated notFound      denied        notFound      notFound      notFound      ok
AppService/CreateModule                                 unauthenticated notFound      denied        denied        denied        denied        ok
AppService/UpdateModule                                 unauthenticated notFound      denied        notFound      notFound      notFound      ok
AppService/UploadModuleFile                             unauthenticated notFound      denied        notFound      notFound      notFound      ok
AppService/GetModule                                    unauthenticated notFound      ok            notFound      notFound      notFound      ok
AppService/ListModules                                  unauthenticated notFound      ok            empty         empty         empty         ok
AppService/CreateKey                                    unauthenticated notFound      denied        ok            ok            denied        ok
AppService/DeleteKey                                    unauthenticated notFound      denied        ok            ok            notFound      ok
AppService/RotateKey                                    unauthenticated notFound      denied        ok            ok            notFound      ok
AppService/ListKeys                                     unauthenticated notFound      denied        denied        denied        denied        ok
AppService/CreateKeyFromExistingKeyAuthorizations       unauthenticated notFound      denied        ok            ok            notFound      ok
AppService/GetAppContent                                unauthenticated notFound      ok            notFound      notFound      notFound      ok
PackageService/CreatePackage                            unauthenticated notFound      denied        denied        denied        denied        ok
PackageService/GetPackage                               unauthenticated notFound      ok            notFound      notFound      ok            ok
PackageService/ListPackages                             unauthenticated notFound      ok            denied        denied        denied        ok
PackageService/DeletePackage                            unauthenticated notFound      denied        notFound      notFound      denied        ok
`;

/** Returns the rows of the matrix by `Service/Method`, each with a word for every caller. */
export function permissionRows(): { rpc: string; outcomes: Record<Caller, string> }[] {
  const [head = '', ...rows] = PERMISSION_MATRIX.trim().split('\n');
  if (head.split(/ +/).slice(1).join() !== CALLERS.join()) {
    throw new Error('the columns of the matrix are not the callers');
  }
  return rows.map((row) => {
    const [rpc = '', ...columns] = row.split(/ +/);
    const byCaller = Object.fromEntries(
      CALLERS.map((caller, index) => [caller, columns[index] ?? '']),
    );
    return { rpc, outcomes: byCaller as Record<Caller, string> };
  });
}
