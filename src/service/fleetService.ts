import { join } from 'node:path';
import { type ConnectRouter, createRouterTransport, type Interceptor } from '@connectrpc/connect';
import { type Clock, systemClock, systemSleep } from '../base/clock';
import type { Logger } from '../base/logger';
import type { LongWork } from '../base/longWork';
import { requestValidator } from '../core/validation/requestValidator';
import { QueryService } from '../gen/fleetwright/query/v1/query_pb';
import { RolloutService } from '../gen/fleetwright/rollout/v1/rollout_pb';
import { Health } from '../gen/grpc/health/v1/health_pb';
import { ServerReflection } from '../gen/grpc/reflection/v1/reflection_pb';
import { ServerReflection as ServerReflectionAlpha } from '../gen/grpc/reflection/v1alpha/reflection_pb';
import { AuthService } from '../gen/proto/rpc/v1/auth_pb';
import { DataService } from '../gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../gen/viam/app/dataset/v1/dataset_pb';
import { DataSyncService } from '../gen/viam/app/datasync/v1/data_sync_pb';
import { MLTrainingService } from '../gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageService } from '../gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../gen/viam/app/v1/app_pb';
import { RobotService } from '../gen/viam/app/v1/robot_pb';
import { Accounts } from './accounts/accounts';
import { accessInterceptor, contactInterceptor, createAdmission } from './auth/accessInterceptor';
import { AccessTokens } from './auth/accessTokens';
import { Authenticator } from './auth/authenticator';
import { AuthorizationTable } from './auth/authorizationTable';
import { callerAddressKey } from './auth/principal';
import { SignInGuard } from './auth/signInGuard';
import { bootstrapOwner, type OwnerCredentials } from './auth/bootstrap';
import { BlobCollector } from './blobs/blobCollector';
import { DamageReports, warnAboutMissingContents } from './blobs/damageReports';
import { type BlobsOptions, openBlobs } from './blobs/openBlobs';
import { DemoFleet } from './demo/demoFleet';
import { apiKeyHandlers, type IssuedKey } from './handlers/apiKeys';
import { appContentHandlers, moduleHandlers, moduleUploadHandlers } from './handlers/modules';
import { binaryContentRoute, packageContentRoute } from './handlers/contentRoute';
import { binaryDataHandlers } from './handlers/data/binaryData';
import { boundingBoxHandlers } from './handlers/data/boundingBoxes';
import { databaseAccessHandlers } from './handlers/data/databaseAccess';
import { datasetHandlers, datasetMemberHandlers } from './handlers/data/datasets';
import { queryHandlers, queryStreamHandlers } from './handlers/data/queries';
import { tabularDataHandlers, tabularExportHandler } from './handlers/data/tabularData';
import { tagHandlers } from './handlers/data/tags';
import { uploadHandlers } from './handlers/data/uploads';
import { fragmentRolloutHandlers } from './handlers/fragmentRollout';
import { fragmentHandlers } from './handlers/fragments';
import { inviteHandlers } from './handlers/invites';
import { locationHandlers } from './handlers/locations';
import { locationSharingHandlers } from './handlers/locationSharing';
import { machineCallHandlers } from './handlers/machineCalls';
import { machineConfigHandlers } from './handlers/machineConfigs';
import { machineFragmentHandlers } from './handlers/machineFragments';
import { machineHandlers, machineSecretHandlers } from './handlers/machines';
import { machineSummaryHandlers } from './handlers/machineSummaries';
import { memberHandlers } from './handlers/members';
import { metadataHandlers } from './handlers/metadata';
import { organizationHandlers } from './handlers/organizations';
import { packageHandlers } from './handlers/packages';
import { partLogHandlers } from './handlers/partLogs';
import { partHandlers } from './handlers/parts';
import { permissionHandlers, roleHandlers } from './handlers/roles';
import { registryHandlers } from './handlers/registry';
import { trainedModels } from './handlers/trainedModels';
import { trainingHandlers } from './handlers/training';
import { ReadingsLake } from './lake/readingsLake';
import { ReadingsReader } from './lake/readingsReader';
import { type OpenNotices, openLogBroker } from './logs/openLogBroker';
import { type LogLimits, LogRetention } from './logs/logRetention';
import { discardingMailer, type Mailer } from './mail/mailer';
import { healthHandlers } from './monitoring/healthHandlers';
import { healthRoute } from './monitoring/healthRoute';
import { reflectionHandlers } from './monitoring/reflectionHandlers';
import { StreamLimit } from './monitoring/streamLimit';
import { measureLoad, type ServiceLoad } from './monitoring/serviceLoad';
import {
  bucketCheck,
  checkDatabase,
  checkFolders,
  type CheckStatus,
  ServiceHealth,
} from './monitoring/serviceHealth';
import { DatabaseEndpoint } from './mongo/databaseEndpoint';
import { type FleetStoreOptions, openFleetStore } from './openFleetStore';
import { type QueryLimits, QueryProcesses } from './query/queryProcesses';
import { ReadingsQueries, type ConsumerLimits } from './query/readingsQueries';
import { DocumentWork } from './server/documentWork';
import type { HttpRoute } from './server/http';
import type { Admit } from './server/rpcListener';
import { RESERVE_FILE } from './files/dataDirectoryLayout';
import { DatabaseClock } from './store/databaseClock';
import { DiskReserve } from './store/diskReserve';
import { newSecret } from './store/identifiers';
import { MachineSecrets } from './store/secrets';
import { encryptedSettingOrNew } from './store/settings';
import { runUnlessDamaged, storeErrorInterceptor } from './store/storeErrors';
import { openTrainings, type TrainingsOptions } from './training/openTrainings';

/** Work of a node in addition to handling calls, which every node does. */
export type NodeRole = 'query' | 'train';

export interface FleetServiceOptions extends TrainingsOptions, FleetStoreOptions, BlobsOptions {
  /** Roles of this node among those that share a database; if absent, all. */
  roles?: readonly NodeRole[] | undefined;
  /**
   * True if tables of the embedded store are known to be damaged. In that case, no contents are
   * deleted at startup.
   */
  isDatabaseDamaged?: boolean | undefined;
  /**
   * Directory for the files that queries read, unless they are in the bucket. If absent, a temporary
   * directory is used.
   */
  lakeDir?: string | undefined;
  /**
   * Number of days after which readings leave the records and are only in Parquet files; if absent,
   * readings remain in the records. Services that share a database require a bucket for it.
   */
  hotReadingsDays?: number | undefined;
  /** Path of the bundled program for query processes. If absent, queries fail with an error. */
  queryProgram?: string | undefined;
  /** Query limits that override the defaults. */
  queryLimits?: Partial<QueryLimits> | undefined;
  /** Timeouts for callers that are consuming rows. They override the defaults. */
  consumerLimits?: Partial<ConsumerLimits> | undefined;
  /**
   * Directory for results that are waiting for clients of the database endpoint. If absent, a
   * temporary directory is used.
   */
  cursorsDir?: string | undefined;
  /** Number of failed sign-ins per key ID and address before attempts are throttled; 10 if absent. */
  maxFailedSignIns?: number | undefined;
  /**
   * Opens the connection for notices between services that share a database; if absent, the database
   * forwards them.
   */
  openNotices?: OpenNotices | undefined;
  /** Retention limits for machine logs; if absent, 30 days and 2 GiB. */
  logLimits?: LogLimits | undefined;
  /**
   * Interval in milliseconds at which a log tail reader's permission is rechecked; ten seconds if
   * absent.
   */
  tailCheckMs?: number | undefined;
  /**
   * Interval in milliseconds at which the service's health is checked while a client watches it; two
   * seconds if absent.
   */
  healthWatchMs?: number | undefined;
  logger: Logger;
  clock?: Clock | undefined;
  /**
   * Runs long work on large documents. If absent, the work runs in slices of a few milliseconds.
   */
  documentWork?: DocumentWork | undefined;
  /** True to fill an empty fleet with demo data in `bootstrap`. */
  demo?: boolean | undefined;
  /**
   * True to simulate the demo fleet's machines, which then log, capture, and restart. If absent,
   * they only report that they are online.
   */
  demoIsAlive?: boolean | undefined;
  /** Sends messages to users; if absent, messages are discarded. */
  mailer?: Mailer | undefined;
  /**
   * Returns the URL that browsers use to reach the service, without a trailing slash. Called for
   * every message.
   */
  publicUrl?: (() => string) | undefined;
  /**
   * Called with every rotated key before the caller that rotated it receives it. Must not throw.
   */
  keyRotated?: ((issued: IssuedKey) => Promise<void>) | undefined;
}

/** Fleet service without a transport. Provides routes for any server or for an in-memory router. */
export interface FleetService {
  /** Registers all RPCs. */
  routes: (router: ConnectRouter) => void;
  /**
   * Interceptors for authentication and authorization. They must run before the routes and in this
   * order.
   */
  interceptors: Interceptor[];
  /** Identifies the caller before a request body is read. */
  admit: Admit;
  /** Routes for probes, for contents, and for the pages that are linked in messages. */
  httpRoutes: HttpRoute[];
  /** Runs long-running work of all kinds, one slice at a time. */
  longWork: LongWork;
  /** Reports whether the service can handle calls. Its `stop` must be called before `close`. */
  health: ServiceHealth;
  /** Measures the load of the service, for metrics. */
  measure(): Promise<ServiceLoad>;
  /** Endpoint that MongoDB clients can read from once it is listening. */
  databaseEndpoint: DatabaseEndpoint;
  /**
   * Prepares the service for callers. Must be called before any requests are served.
   * @param saved credentials from an earlier boot.
   * @returns a valid owner key.
   */
  bootstrap(saved?: OwnerCredentials): Promise<OwnerCredentials>;
  /** Resolves to true if an `authorization` header contains a valid token. */
  authenticateToken(authorization: string | undefined): Promise<boolean>;
  /** Moves old readings to Parquet files, which otherwise happens every hour. Logs errors. */
  moveOldReadings(): Promise<void>;
  /** Returns true if a training job is running in this process. */
  isTraining(): boolean;
  close(): Promise<void>;
}

const NO_PUBLIC_URL = 'http://localhost';

/**
 * Opens the store, migrates its schema, and creates the service on top of the store.
 * @throws if the store can't be opened.
 */
export async function openFleetService(options: FleetServiceOptions): Promise<FleetService> {
  const { store, cipher } = await openFleetStore(options);
  const machineSecrets = new MachineSecrets(cipher);
  const { documentWork = new DocumentWork() } = options;
  const { blobs, delay } = await openBlobs(store, options, documentWork);
  const collector = new BlobCollector(store, blobs, options.isDatabaseDamaged !== true, delay);
  const signingKey = await encryptedSettingOrNew(store, cipher, 'token_signing_key', newSecret);
  const signInGuard = new SignInGuard({
    logger: options.logger,
    sleep: systemSleep,
    freeFailures: options.maxFailedSignIns,
  });
  const authenticator = new Authenticator(
    store,
    machineSecrets,
    new AccessTokens(signingKey),
    signInGuard,
  );
  const databaseClock =
    options.clock === undefined && options.databaseUrl !== undefined
      ? await DatabaseClock.open(store, systemClock, options.logger)
      : undefined;
  const demo = new DemoFleet(
    store,
    options.clock ?? databaseClock ?? systemClock,
    options.logger,
    options.databaseUrl !== undefined,
    options.demoIsAlive,
  );
  const { now } = demo;
  const { logger, mailer = discardingMailer, publicUrl = () => NO_PUBLIC_URL } = options;
  const runner = new QueryProcesses({
    program: options.queryProgram,
    isTurnedOff: options.roles?.includes('query') === false,
    limits: options.queryLimits,
    logger,
  });
  const reserve = new DiskReserve(
    store,
    options.databaseUrl === undefined && options.dataDir !== undefined
      ? join(options.dataDir, RESERVE_FILE)
      : undefined,
  );
  const lake = await ReadingsLake.open({
    store,
    runner,
    runsJobs: !runner.isTurnedOff,
    now,
    logger,
    requireRoom: reserve.requireRoom,
    directory: options.lakeDir,
    contents: { blobs, collector },
    hotDays: options.hotReadingsDays,
  });
  const readings = new ReadingsReader(store, lake.cold);
  const queries = new ReadingsQueries(lake, runner, options.consumerLimits);
  const databaseEndpoint = await DatabaseEndpoint.open({
    store,
    queries,
    signInGuard,
    logger,
    cursorsDir: options.cursorsDir,
    saltSecret: await encryptedSettingOrNew(store, cipher, 'database_salt_secret', newSecret),
  });
  const pageUrl = (path: string): string => publicUrl() + path;
  const dependencies = {
    store,
    machineSecrets,
    now,
    mailer,
    pageUrl,
    logger,
    collector,
    lake,
    databaseEndpoint,
    documentWork,
  };
  const damageReports = new DamageReports(logger);
  const dataDependencies = { ...dependencies, blobs, damageReports, validator: requestValidator };
  const accounts = new Accounts(dependencies);
  const storeModel = trainedModels(dataDependencies);
  const runsTraining = options.roles?.includes('train') !== false;
  const trainingLimits = { ...options.trainingLimits, ...(!runsTraining && { jobs: 0 }) };
  const trainings = await openTrainings(
    { ...options, trainingLimits },
    {
      store,
      blobs,
      damageReports,
      now,
      logger,
      storeModel,
    },
  );
  const broker = openLogBroker({
    store,
    logger,
    databaseUrl: options.databaseUrl,
    openNotices: options.openNotices,
  });
  const retention = new LogRetention({ store, now, logger, limits: options.logLimits });
  retention.start();
  const { dataDir, lakeDir, objects } = options;
  const remote = typeof objects === 'object' ? objects : undefined;
  const folders = [dataDir, remote?.cacheDirectory ?? options.blobsDir, lakeDir].filter(
    (folder) => folder !== undefined,
  );
  const health = new ServiceHealth({
    checks: {
      database: () => checkDatabase(store),
      dataDirectory: () => checkFolders(folders),
      queryProcesses: () => checkQueryProcesses(runner),
      ...(remote && { objectStore: bucketCheck(remote.bucket) }),
    },
  });
  const table = new AuthorizationTable();
  const services = table.services();
  const serviceNames = services.map(({ typeName }) => typeName);
  const reflection = reflectionHandlers(services, new StreamLimit('close those that are unused'));
  const healthStreams = new StreamLimit('use Check instead');
  const routes = (router: ConnectRouter): void => {
    router.service(
      Health,
      healthHandlers({
        health,
        serviceNames,
        streams: healthStreams,
        watchMs: options.healthWatchMs,
      }),
    );
    router.service(AuthService, {
      authenticate: async ({ entity, credentials }, { values, signal }) => ({
        accessToken: await authenticator.authenticate(
          { entity, type: credentials?.type ?? '', payload: credentials?.payload ?? '' },
          { address: values.get(callerAddressKey), signal },
        ),
      }),
    });
    router.service(ServerReflection, reflection.current);
    router.service(ServerReflectionAlpha, reflection.alpha);
    router.service(RobotService, {
      ...machineCallHandlers({ ...dependencies, broker, retention }),
      ...machineConfigHandlers(dependencies),
    });
    router.service(DataSyncService, uploadHandlers(dataDependencies));
    router.service(DataService, {
      ...tabularDataHandlers({ ...dependencies, readings }),
      ...tabularExportHandler({ ...dependencies, readings }),
      ...queryHandlers({ queries }),
      ...databaseAccessHandlers(dependencies),
      ...binaryDataHandlers(dataDependencies),
      ...tagHandlers(dataDependencies),
      ...boundingBoxHandlers(dataDependencies),
      ...datasetMemberHandlers(dataDependencies),
    });
    router.service(QueryService, queryStreamHandlers({ queries }));
    router.service(RolloutService, fragmentRolloutHandlers(dependencies));
    router.service(DatasetService, datasetHandlers(dependencies));
    router.service(PackageService, packageHandlers(dataDependencies));
    router.service(MLTrainingService, trainingHandlers({ ...dependencies, ...trainings }));
    router.service(AppService, {
      ...organizationHandlers(dependencies),
      ...memberHandlers(dependencies),
      ...inviteHandlers(dependencies),
      ...locationHandlers(dependencies),
      ...locationSharingHandlers(dependencies),
      ...machineHandlers(dependencies),
      ...machineSummaryHandlers(dependencies),
      ...machineSecretHandlers(dependencies),
      ...partLogHandlers({
        ...dependencies,
        broker,
        authenticator,
        tailCheckMs: options.tailCheckMs,
      }),
      ...partHandlers(dependencies),
      ...fragmentHandlers(dependencies),
      ...machineFragmentHandlers(dependencies),
      ...metadataHandlers(dependencies),
      ...permissionHandlers(dependencies),
      ...roleHandlers(dependencies),
      ...apiKeyHandlers({ ...dependencies, keyRotated: options.keyRotated }),
      ...registryHandlers(dependencies),
      ...moduleHandlers(dependencies),
      ...moduleUploadHandlers(dataDependencies),
      ...appContentHandlers(dependencies),
    });
  };
  const interceptors = [
    storeErrorInterceptor(logger),
    accessInterceptor(store, authenticator, table, requestValidator),
    reserve.interceptor,
    contactInterceptor(store, now),
    documentWork.interceptor,
  ];
  return {
    routes,
    interceptors,
    admit: createAdmission(authenticator, table),
    longWork: documentWork,
    health,
    measure: () =>
      measureLoad({
        store,
        health,
        runner,
        queue: trainings.queue,
        lake,
        databaseEndpoint,
        documentWork,
      }),
    httpRoutes: [
      healthRoute(health),
      accounts.route,
      binaryContentRoute({ ...dataDependencies, authenticator }),
      packageContentRoute({ ...dataDependencies, authenticator }),
    ],
    databaseEndpoint,
    async bootstrap(saved) {
      await runUnlessDamaged('deleting contents without records', logger, () =>
        collector.collectAll(),
      );
      collector.start();
      lake.moves?.start();
      await runUnlessDamaged('checking for missing contents', logger, () =>
        warnAboutMissingContents(store, blobs, delay === undefined ? 'files' : 'objects', logger),
      );
      await demo.prepare(options.demo === true);
      const owner = await bootstrapOwner(store, now(), {
        saved,
        isShared: options.databaseUrl !== undefined,
      });
      await demo.start(
        (clientSide) =>
          createRouterTransport(routes, {
            router: { interceptors },
            transport: { interceptors: clientSide },
          }),
        owner,
      );
      await runUnlessDamaged('starting training jobs', logger, () => trainings.queue.start());
      return owner;
    },
    authenticateToken: (authorization) =>
      authenticator.principal(authorization).then(
        () => true,
        () => false,
      ),
    moveOldReadings: async () => {
      await lake.moves?.poll();
    },
    isTraining: () => trainings.queue.isRunning,
    async close() {
      await demo.stop();
      await trainings.close();
      await accounts.close();
      await databaseEndpoint.close();
      await broker.close();
      await retention.close();
      await lake.close();
      await runner.close();
      await collector.close();
      databaseClock?.[Symbol.dispose]();
      await store.destroy();
      await blobs.close();
    },
  };
}

function checkQueryProcesses({ isTurnedOff, isAvailable }: QueryProcesses): CheckStatus {
  if (isTurnedOff) return 'off';
  return isAvailable ? 'ok' : 'degraded';
}
