import assert from 'node:assert/strict';
import { type Document, serialize } from 'bson';
import {
  create,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type DescService,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import { ConnectionTransport } from '../../../../src/core/api/connectionTransport';
import { FleetError } from '../../../../src/core/api/errors';
import { isReadOperation, ReadOnlyConnectionError } from '../../../../src/core/api/readOnly';
import { type Connection, toConnectionId } from '../../../../src/core/model/connection';
import { QueryService } from '../../../../src/gen/fleetwright/query/v1/query_pb';
import { RolloutService } from '../../../../src/gen/fleetwright/rollout/v1/rollout_pb';
import { AuthService } from '../../../../src/gen/proto/rpc/v1/auth_pb';
import { DataService } from '../../../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../../../src/gen/viam/app/dataset/v1/dataset_pb';
import { DataSyncService } from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { MLTrainingService } from '../../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageService } from '../../../../src/gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import facts from '../../../contract/facts/wire.json';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';

/** Services that the extension calls over a connection. */
const SERVICES: readonly DescService[] = [
  AppService,
  DataService,
  DatasetService,
  DataSyncService,
  MLTrainingService,
  PackageService,
  QueryService,
  RolloutService,
];

/** Operations that only read. A change to this list needs a review of the service's handler. */
const READS: Readonly<Record<string, string>> = {
  AppService:
    'CheckPermissions GetAppContent GetFragment GetFragmentHistory GetLocation ' +
    'GetLocationMetadata GetModule GetOrganization GetOrganizationMetadata ' +
    'GetOrganizationNamespaceAvailability GetOrganizationsWithAccessToLocation ' +
    'GetRegistryItem GetRobot GetRobotAPIKeys GetRobotMetadata GetRobotPart ' +
    'GetRobotPartHistory GetRobotPartLogs GetRobotPartMetadata GetRobotParts ' +
    'GetUserIDByEmail ListAuthorizations ListFragments ListKeys ListLocations ' +
    'ListMachineFragments ListMachineSummaries ListModules ListOrganizationMembers ' +
    'ListOrganizations ListOrganizationsByUser ListRegistryItems ListRobots LocationAuth ' +
    'TailRobotPartLogs',
  DataService:
    'BinaryDataByFilter BinaryDataByIDs BoundingBoxLabelsByFilter ExportTabularData ' +
    'GetDatabaseConnection GetLatestTabularData TabularDataByFilter TabularDataByMQL ' +
    'TabularDataBySQL TagsByFilter',
  DatasetService: 'ListDatasetsByIDs ListDatasetsByOrganizationID',
  MLTrainingService: 'GetTrainingJob GetTrainingJobLogs ListTrainingJobs',
  PackageService: 'GetPackage ListPackages',
  QueryService: 'StreamTabularData',
  RolloutService: 'ListFragmentRollout',
};

/** Operations that can change something, such as a state, a secret, or an invitation's email. */
const WRITES: Readonly<Record<string, string>> = {
  AppService:
    'AddRole ChangeRole CreateFragment CreateKey CreateKeyFromExistingKeyAuthorizations ' +
    'CreateLocation CreateLocationSecret CreateModule CreateOrganization ' +
    'CreateOrganizationInvite CreateRegistryItem CreateRobotPartSecret DeleteFragment ' +
    'DeleteKey DeleteLocation DeleteLocationSecret DeleteOrganization ' +
    'DeleteOrganizationInvite DeleteOrganizationMember DeleteRegistryItem DeleteRobot ' +
    'DeleteRobotPart DeleteRobotPartSecret MarkPartAsMain MarkPartForRestart NewRobot ' +
    'NewRobotPart RemoveRole ResendOrganizationInvite RotateKey ShareLocation ' +
    'UnshareLocation UpdateFragment UpdateLocation UpdateLocationMetadata UpdateModule ' +
    'UpdateOrganization UpdateOrganizationInviteAuthorizations UpdateOrganizationMetadata ' +
    'UpdateRegistryItem UpdateRobot UpdateRobotMetadata UpdateRobotPart ' +
    'UpdateRobotPartMetadata UploadModuleFile',
  DataService:
    'AddBinaryDataToDatasetByIDs AddBoundingBoxToImageByID AddTagsToBinaryDataByFilter ' +
    'AddTagsToBinaryDataByIDs ConfigureDatabaseUser DeleteBinaryDataByFilter ' +
    'DeleteBinaryDataByIDs DeleteTabularData RemoveBinaryDataFromDatasetByIDs ' +
    'RemoveBoundingBoxFromImageByID RemoveTagsFromBinaryDataByFilter ' +
    'RemoveTagsFromBinaryDataByIDs',
  DatasetService: 'CreateDataset DeleteDataset RenameDataset',
  DataSyncService: 'DataCaptureUpload FileUpload StreamingDataCaptureUpload',
  MLTrainingService:
    'CancelTrainingJob DeleteCompletedTrainingJob SubmitCustomTrainingJob ' + 'SubmitTrainingJob',
  PackageService: 'CreatePackage DeletePackage',
};

const methods = SERVICES.flatMap((service) => service.methods);

function listMethods(table: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(table).flatMap(([service, names]) =>
    names.split(' ').map((name) => `${service}/${name}`),
  );
}

function toPath({ parent, name }: DescMethod): string {
  return `${parent.name}/${name}`;
}

describe('the operations of the contract', () => {
  const reads = new Set(listMethods(READS));
  const writes = new Set(listMethods(WRITES));

  it('are each classified as a read or as a change', () => {
    const paths = methods.map(toPath).sort();
    assert.deepEqual([...reads, ...writes].sort(), paths);
  });

  it('include all 117 operations of the spec', () => {
    const operations = Object.values(facts.operations).map((path) =>
      path.split('.').slice(-1).join(),
    );
    assert.equal(operations.length, 117);
    const unknown = operations.filter((path) => !reads.has(path) && !writes.has(path));
    assert.deepEqual(unknown, []);
  });

  it('are marked in the contract as they are classified', () => {
    for (const method of methods) {
      assert.equal(isReadOperation(method), reads.has(toPath(method)), toPath(method));
    }
  });

  it('do not count as reads without a mark', () => {
    assert.equal(isReadOperation(AuthService.method.authenticate), false);
  });
});

describe('a read-only connection', () => {
  let fleet: MemoryFleet;
  let transport: ConnectionTransport;
  let started: number;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    started = 0;
    transport = openTransport({ readOnly: 'chosen' });
  });

  afterEach(async () => {
    transport.dispose();
    await fleet.close();
  });

  function toConnection(change: Partial<Connection>): Connection {
    return {
      id: toConnectionId(fleet.key.id),
      label: 'Plant North',
      baseUrl: fleet.baseUrl,
      keyId: fleet.key.id,
      kind: 'cloud',
      ...change,
    };
  }

  function openTransport(change: Partial<Connection>): ConnectionTransport {
    const start = (): Promise<void> => {
      started += 1;
      return Promise.resolve();
    };
    const readKey = () => Promise.resolve(fleet.key);
    return new ConnectionTransport(toConnection(change), fleet.open, readKey, start);
  }

  /** Calls a method with an empty request. Returns its error, if any. */
  async function call(method: DescMethod): Promise<unknown> {
    const ending = new AbortController();
    const { signal } = ending;
    try {
      if (method.methodKind === 'unary') {
        await transport.unary(method as DescMethodUnary, signal, undefined, {}, {});
      } else {
        const streaming = method as DescMethodStreaming;
        const input = listEmpty(streaming);
        const response = await transport.stream(streaming, signal, undefined, {}, input);
        for await (const _ of response.message) break;
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      ending.abort();
    }
  }

  async function* listEmpty<M extends DescMethod>(
    method: M,
  ): AsyncGenerator<MessageInitShape<M['input']>> {
    yield await Promise.resolve(create(method.input) as MessageInitShape<M['input']>);
  }

  for (const method of methods) {
    const path = toPath(method);
    if (listMethods(WRITES).includes(path)) {
      it(`rejects ${path} before it leaves this computer`, async () => {
        const error = await call(method);
        assert.ok(error instanceof ReadOnlyConnectionError, String(error));
        assert.equal(fleet.calls.size, 0);
        assert.equal(started, 0);
      });
    } else {
      it(`sends ${path}`, async () => {
        const error = await call(method);
        assert.ok(!(error instanceof ReadOnlyConnectionError));
        assert.ok(fleet.calls.get(method.name) !== undefined, String(error));
      });
    }
  }

  it('rejects a query that stores its result', async () => {
    const query = (stage: Document) =>
      transport.unary(
        DataService.method.tabularDataByMQL,
        undefined,
        undefined,
        {},
        {
          organizationId: fleet.organizationId,
          mqlBinary: [serialize({ $match: {} }), serialize(stage)],
        },
      );
    await assert.rejects(query({ $out: 'readings' }), ReadOnlyConnectionError);
    await assert.rejects(query({ $merge: { into: 'readings' } }), ReadOnlyConnectionError);
    assert.equal(fleet.calls.size, 0);
    await query({ $limit: 1 }).catch((error: unknown) => {
      assert.ok(!(error instanceof ReadOnlyConnectionError));
    });
    assert.equal(fleet.calls.get('TabularDataByMQL'), 1);
  });

  it('explains what to do', async () => {
    const error = await call(AppService.method.newRobot);
    assert.ok(error instanceof ReadOnlyConnectionError);
    const { kind, action, message, connectionId } = error;
    assert.deepEqual(
      { kind, action, connectionId },
      { kind: 'permission', action: 'allowChanges', connectionId: toConnectionId(fleet.key.id) },
    );
    assert.equal(
      message,
      'The connection "Plant North" is read-only. To change anything, allow changes in the connection first.',
    );
  });

  it('names the setting that requires it, and offers no action that would have no effect', async () => {
    transport.use(toConnection({ readOnly: 'required' }));
    const error = await call(AppService.method.newRobot);
    assert.ok(error instanceof FleetError);
    assert.equal(error.action, undefined);
    assert.match(error.message, /"fleetwright\.connections\.readOnly"/);
  });

  it('does not report a state that it has not observed', async () => {
    await call(AppService.method.newRobot);
    assert.equal(transport.state.kind, 'idle');
  });

  it('rejects a change that waited for the service while it became read-only', async () => {
    const ready = Promise.withResolvers<unknown>();
    const readKey = () => Promise.resolve(fleet.key);
    const waiting = new ConnectionTransport(toConnection({}), fleet.open, readKey, async () => {
      await ready.promise;
    });
    const method = AppService.method.newRobot;
    const calling = waiting.unary(method, undefined, undefined, {}, {});
    waiting.use(toConnection({ readOnly: 'chosen' }));
    ready.resolve(undefined);
    await assert.rejects(calling, ReadOnlyConnectionError);
    assert.equal(fleet.calls.size, 0);
    waiting.dispose();
  });

  it('sends changes again after they were allowed', async () => {
    transport.use(toConnection({}));
    await call(AppService.method.newRobot);
    assert.equal(fleet.calls.get('NewRobot'), 1);
  });
});
