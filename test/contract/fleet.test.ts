import { appContentContract } from './cases/appContent';
import { authenticationContract } from './cases/authentication';
import { configStateContract } from './cases/configStates';
import { contactContract } from './cases/contacts';
import { databaseAccessContract } from './cases/databaseAccess';
import { customTrainingContract } from './cases/customTraining';
import { dataChangeContract } from './cases/dataChanges';
import { dataDownloadContract } from './cases/dataDownloads';
import { dataReadContract } from './cases/dataReads';
import { datasetContract } from './cases/datasets';
import { dataUploadContract } from './cases/dataUploads';
import { fragmentNestingContract } from './cases/fragmentNesting';
import { fragmentRolloutContract } from './cases/fragmentRollout';
import { fragmentContract } from './cases/fragments';
import { inviteContract } from './cases/invites';
import { locationContract } from './cases/locations';
import { locationSharingContract } from './cases/locationSharing';
import { machineConfigContract } from './cases/machineConfigs';
import { machineContract } from './cases/machines';
import { machineSummaryContract } from './cases/machineSummaries';
import { machineSecretContract } from './cases/machineSecrets';
import { memberContract } from './cases/members';
import { metadataContract } from './cases/metadata';
import { moduleContract } from './cases/modules';
import { moduleUploadContract } from './cases/moduleUploads';
import { nameContract } from './cases/names';
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
  type Deployment,
  onPostgres,
  type Protocol,
  signInAsOwner,
  startNodes,
  startHttpDeployment,
  startRouterDeployment,
} from './deployment';
import type { Fleet, FleetUnderTest } from './fleetFixture';
import type { Clock } from '../../src/base/clock';
import { describeObjectStore } from '../support/objectStore';
import { PassingClock, TestClock } from '../support/testClock';

type Contract = (fleet: FleetUnderTest) => void;

/**
 * Contracts about the wire protocol: tokens, upload and download streams, content over HTTP, and
 * all kinds of fields.
 */
const WIRE: readonly Contract[] = [
  authenticationContract,
  machineConfigContract,
  partLogContract,
  tabularUploadContract,
  tabularExportContract,
  queryStreamContract,
  dataUploadContract,
  dataDownloadContract,
  packageContract,
  moduleUploadContract,
];

/** Contracts about rules, which use the same handlers for all protocols. */
const RULES: readonly Contract[] = [
  organizationContract,
  nameContract,
  locationContract,
  locationSharingContract,
  machineContract,
  machineSummaryContract,
  partContract,
  fragmentContract,
  fragmentNestingContract,
  machineSecretContract,
  restartContract,
  configStateContract,
  fragmentRolloutContract,
  contactContract,
  metadataContract,
  permissionContract,
  roleContract,
  roleChangeContract,
  registryContract,
  moduleContract,
  appContentContract,
  inviteContract,
  memberContract,
  signInContract,
  tabularLatestContract,
  tabularPageContract,
  tabularDeletionContract,
  tabularMqlContract,
  tabularSqlContract,
  dataReadContract,
  dataChangeContract,
  datasetContract,
  databaseAccessContract,
  trainingContract,
  customTrainingContract,
];

/**
 * Contracts whose state could be in one process: sign-ins and links, streams, uploads in several
 * messages, queries, jobs, caches, and the order of what is created.
 */
const NODES: readonly Contract[] = [
  ...WIRE,
  fragmentContract,
  locationContract,
  machineSummaryContract,
  restartContract,
  inviteContract,
  signInContract,
  tabularDeletionContract,
  tabularSqlContract,
  dataChangeContract,
  datasetContract,
  databaseAccessContract,
  trainingContract,
  customTrainingContract,
];

/** Time limit for starting. Before the first PostgreSQL deployment, a server is installed. */
const STARTING_MS = 60_000;

interface FleetSuite {
  defineSuite?: (title: string, define: (this: Mocha.Suite) => void) => void;
  createClock?: () => TestClock;
}

function describeFleet(
  name: string,
  start: (clock: Clock) => Promise<Deployment>,
  contracts: readonly Contract[],
  { defineSuite = describe, createClock = () => new TestClock() }: FleetSuite = {},
): void {
  defineSuite(`fleet contract: ${name}`, () => {
    let running: Fleet | undefined;

    before(async function () {
      this.timeout(STARTING_MS);
      const clock = createClock();
      const deployment = await start(clock);
      running = { deployment, clock, owner: await signInAsOwner(deployment) };
    });

    after(async () => {
      await running?.deployment.stop();
    });

    const fleet = (): Fleet => {
      if (running === undefined) throw new Error('the deployment has not started');
      return running;
    };
    for (const contract of contracts) contract(fleet);
  });
}

/**
 * True to run all combinations of protocols, stores, and contracts; `test/README.md` explains why
 * this isn't the default.
 */
const isFull = process.env.FLEETWRIGHT_TEST_MATRIX === 'full';
const throughPort = isFull ? [...WIRE, ...RULES] : WIRE;

const overPort = (protocol: Protocol, store: 'SQLite' | 'PostgreSQL'): void =>
  describeFleet(
    `${protocol}, ${store}`,
    async (clock) =>
      store === 'SQLite'
        ? startHttpDeployment(clock, protocol)
        : onPostgres((databaseUrl) => startHttpDeployment(clock, protocol, { databaseUrl })),
    throughPort,
  );

describeFleet('router, SQLite', (clock) => startRouterDeployment(clock), [...WIRE, ...RULES]);
describeFleet(
  'router, PostgreSQL',
  (clock) => onPostgres((url) => startRouterDeployment(clock, url)),
  [...WIRE, ...RULES],
);
overPort('gRPC', 'SQLite');
overPort('gRPC-web', 'PostgreSQL');
overPort('Connect', 'SQLite');
describeFleet(
  'gRPC, two nodes',
  (clock) => onPostgres((databaseUrl) => startNodes(clock, 'gRPC', databaseUrl)),
  isFull ? [...WIRE, ...RULES] : NODES,
  { defineSuite: describeObjectStore, createClock: () => new PassingClock() },
);
