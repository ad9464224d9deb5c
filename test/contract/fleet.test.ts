import { appContentContract } from './cases/appContent';
import { authenticationContract } from './cases/authentication';
import { contactContract } from './cases/contacts';
import { databaseAccessContract } from './cases/databaseAccess';
import { customTrainingContract } from './cases/customTraining';
import { dataChangeContract } from './cases/dataChanges';
import { dataDownloadContract } from './cases/dataDownloads';
import { dataReadContract } from './cases/dataReads';
import { datasetContract } from './cases/datasets';
import { dataUploadContract } from './cases/dataUploads';
import { fragmentNestingContract } from './cases/fragmentNesting';
import { fragmentContract } from './cases/fragments';
import { inviteContract } from './cases/invites';
import { locationContract } from './cases/locations';
import { locationSharingContract } from './cases/locationSharing';
import { machineConfigContract } from './cases/machineConfigs';
import { machineContract } from './cases/machines';
import { machineSecretContract } from './cases/machineSecrets';
import { memberContract } from './cases/members';
import { metadataContract } from './cases/metadata';
import { moduleContract } from './cases/modules';
import { moduleUploadContract } from './cases/moduleUploads';
import { organizationContract } from './cases/organizations';
import { packageContract } from './cases/packages';
import { partLogContract } from './cases/partLogs';
import { partContract } from './cases/parts';
import { permissionContract } from './cases/permissions';
import { registryContract } from './cases/registry';
import { restartContract } from './cases/restarts';
import { queryStreamContract } from './cases/queryStreams';
import { roleChangeContract } from './cases/roleChanges';
import { roleContract } from './cases/roles';
import { signInContract } from './cases/signIn';
import { tabularDeletionContract } from './cases/tabularDeletion';
import { tabularExportContract } from './cases/tabularExports';
import { tabularLatestContract } from './cases/tabularLatest';
import { tabularPageContract } from './cases/tabularPages';
import { tabularMqlContract } from './cases/tabularMql';
import { tabularSqlContract } from './cases/tabularSql';
import { tabularUploadContract } from './cases/tabularUploads';
import { trainingContract } from './cases/training';
import {
  type DeploymentKind,
  signInAsOwner,
  startHttpDeployment,
  startPostgresDeployment,
  startRouterDeployment,
} from './deployment';
import type { Fleet } from './fleetFixture';
import { TestClock } from '../support/testClock';

const KINDS: DeploymentKind[] = [
  { name: 'router, SQLite', start: (clock) => startRouterDeployment(clock) },
  { name: 'router, PostgreSQL', start: (clock) => startPostgresDeployment(clock) },
  { name: 'gRPC, SQLite', start: (clock) => startHttpDeployment(clock, 'gRPC') },
  { name: 'gRPC-web, SQLite', start: (clock) => startHttpDeployment(clock, 'gRPC-web') },
  { name: 'Connect, SQLite', start: (clock) => startHttpDeployment(clock, 'Connect') },
];

/** A PostgreSQL server is made before its first deployment. */
const STARTING_MS = 60_000;

for (const { name, start } of KINDS) {
  describe(`fleet contract: ${name}`, () => {
    let running: Fleet | undefined;

    before(async function () {
      this.timeout(STARTING_MS);
      const clock = new TestClock();
      const deployment = await start(clock);
      running = { deployment, clock, owner: await signInAsOwner(deployment) };
    });

    after(async () => {
      await running?.deployment.stop();
    });

    const fleet = (): Fleet => {
      if (running === undefined) {
        throw new Error('the deployment has not started');
      }
      return running;
    };

    authenticationContract(fleet);
    organizationContract(fleet);
    locationContract(fleet);
    locationSharingContract(fleet);
    machineContract(fleet);
    partContract(fleet);
    partLogContract(fleet);
    machineConfigContract(fleet);
    fragmentContract(fleet);
    fragmentNestingContract(fleet);
    machineSecretContract(fleet);
    restartContract(fleet);
    contactContract(fleet);
    metadataContract(fleet);
    permissionContract(fleet);
    roleContract(fleet);
    roleChangeContract(fleet);
    registryContract(fleet);
    moduleContract(fleet);
    moduleUploadContract(fleet);
    packageContract(fleet);
    appContentContract(fleet);
    inviteContract(fleet);
    memberContract(fleet);
    signInContract(fleet);
    tabularUploadContract(fleet);
    tabularLatestContract(fleet);
    tabularExportContract(fleet);
    tabularPageContract(fleet);
    tabularDeletionContract(fleet);
    tabularMqlContract(fleet);
    tabularSqlContract(fleet);
    queryStreamContract(fleet);
    dataUploadContract(fleet);
    dataReadContract(fleet);
    dataDownloadContract(fleet);
    dataChangeContract(fleet);
    datasetContract(fleet);
    databaseAccessContract(fleet);
    trainingContract(fleet);
    customTrainingContract(fleet);
  });
}
