import assert from 'node:assert/strict';
import { create, createFileRegistry, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
  type ServerReflectionResponse,
} from '../../src/gen/grpc/reflection/v1/reflection_pb';
import { ServerReflection as ServerReflectionAlpha } from '../../src/gen/grpc/reflection/v1alpha/reflection_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { AuthorizationTable } from '../../src/service/auth/authorizationTable';
import { callWithBuf, REFLECTION_VERSIONS } from '../support/bufCurl';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import { type Deployment, signInToken, startHttpDeployment } from './deployment';

const BUF_LIMIT_MS = 60_000;

type Query = NonNullable<MessageInitShape<typeof ServerReflectionRequestSchema>['messageRequest']>;

async function* toStream<T>(requests: readonly T[]): AsyncGenerator<T> {
  yield* await Promise.resolve(requests);
}

function makeClient(deployment: Deployment) {
  return createClient(ServerReflection, deployment.transport([]));
}

/** Returns the names of files in a response. */
function fileNames({ messageResponse: response }: ServerReflectionResponse): string[] {
  if (response.case !== 'fileDescriptorResponse') assert.fail(`the response is ${response.case}`);
  return response.value.fileDescriptorProto.map(
    (bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name,
  );
}

/** Sorts files so that each one follows its imports, all of which must be in the list. */
function sortByImports(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const sorted = new Set<FileDescriptorProto>();
  const add = (file: FileDescriptorProto): void => {
    for (const name of file.dependency) {
      add(files.find((imported) => imported.name === name) ?? assert.fail(`${name} is missing`));
    }
    sorted.add(file);
  };
  files.forEach(add);
  return [...sorted];
}

function errorCode({ messageResponse: response }: ServerReflectionResponse): Code | undefined {
  return response.case === 'errorResponse' ? response.value.errorCode : undefined;
}

describe('reflection', () => {
  let deployment: Deployment;

  before(async () => {
    deployment = await startHttpDeployment(new TestClock(), 'gRPC');
  });
  after(() => deployment.stop());

  /** Sends requests in one stream, without a token; returns a response to each. */
  async function sendQueries(...queries: Query[]): Promise<ServerReflectionResponse[]> {
    const requests = toStream(queries.map((messageRequest) => ({ messageRequest })));
    const responses: ServerReflectionResponse[] = [];
    for await (const response of makeClient(deployment).serverReflectionInfo(requests)) {
      responses.push(response);
    }
    assert.equal(responses.length, queries.length);
    return responses;
  }

  it('lists exactly the services of the authorization table', async () => {
    const [response] = await sendQueries({ case: 'listServices', value: '' });
    const names = new AuthorizationTable().services().map(({ typeName }) => typeName);
    const list = response?.messageResponse;
    assert.ok(list?.case === 'listServicesResponse');
    assert.deepEqual(
      list.value.service.map(({ name }) => name),
      names.sort(),
    );
    assert.ok(names.includes(AppService.typeName));
  });

  it('describes every service completely enough for a client to build its types', async () => {
    for (const { typeName } of new AuthorizationTable().services()) {
      const [response] = await sendQueries({ case: 'fileContainingSymbol', value: typeName });
      const files = response?.messageResponse;
      assert.ok(files?.case === 'fileDescriptorResponse', typeName);
      const file = sortByImports(
        files.value.fileDescriptorProto.map((bytes) =>
          fromBinary(FileDescriptorProtoSchema, bytes),
        ),
      );
      const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
      assert.ok(registry.getService(typeName), typeName);
    }
  });

  it('returns an imported file only once in a stream, and a requested file always', async () => {
    const robot = { case: 'fileByFilename', value: 'viam/app/v1/robot.proto' } as const;
    const [first, again] = await sendQueries(robot, robot);
    assert.ok(first && again);
    assert.ok(fileNames(first).includes('google/protobuf/timestamp.proto'));
    assert.deepEqual(fileNames(again), [robot.value]);
  });

  it('finds symbols of every kind', async () => {
    const symbols = {
      'viam.app.v1.AppService': 'viam/app/v1/app.proto',
      'viam.app.v1.AppService.ListRobots': 'viam/app/v1/app.proto',
      'grpc.health.v1.HealthCheckResponse.ServingStatus': 'grpc/health/v1/health.proto',
      'grpc.health.v1.HealthCheckResponse.SERVING': 'grpc/health/v1/health.proto',
      'grpc.health.v1.HealthCheckRequest.service': 'grpc/health/v1/health.proto',
      'grpc.reflection.v1.ServerReflectionRequest.message_request':
        'grpc/reflection/v1/reflection.proto',
      'buf.validate.field': 'buf/validate/validate.proto',
      'google.protobuf.Timestamp': 'google/protobuf/timestamp.proto',
    };
    for (const [value, file] of Object.entries(symbols)) {
      const [response] = await sendQueries({ case: 'fileContainingSymbol', value });
      assert.equal(response && fileNames(response)[0], file);
    }
  });

  it('finds extensions, and reports types without any', async () => {
    const options = 'google.protobuf.FieldOptions';
    const [numbers, none, unknown] = await sendQueries(
      { case: 'allExtensionNumbersOfType', value: options },
      { case: 'allExtensionNumbersOfType', value: 'viam.app.v1.ListRobotsRequest' },
      { case: 'allExtensionNumbersOfType', value: 'viam.app.v1.Nothing' },
    );
    assert.ok(numbers?.messageResponse.case === 'allExtensionNumbersResponse');
    const [extensionNumber = 0] = numbers.messageResponse.value.extensionNumber;
    assert.ok(none?.messageResponse.case === 'allExtensionNumbersResponse');
    assert.deepEqual(none.messageResponse.value.extensionNumber, []);
    assert.equal(unknown && errorCode(unknown), Code.NotFound);

    const [file, noFile] = await sendQueries(
      { case: 'fileContainingExtension', value: { containingType: options, extensionNumber } },
      { case: 'fileContainingExtension', value: { containingType: options, extensionNumber: 1 } },
    );
    assert.equal(file && fileNames(file)[0], 'buf/validate/validate.proto');
    assert.equal(noFile && errorCode(noFile), Code.NotFound);
  });

  it('returns an error for unknown names, and continues the stream', async () => {
    const responses = await sendQueries(
      { case: 'fileByFilename', value: '../../package.json' },
      { case: 'fileContainingSymbol', value: 'viam.module.v1.ModuleService' },
      { case: 'fileContainingSymbol', value: 'google.protobuf.Timestamp' },
    );
    assert.deepEqual(responses.map(errorCode), [Code.NotFound, Code.NotFound, undefined]);
  });

  it('supports the older version of the protocol', async () => {
    const client = createClient(ServerReflectionAlpha, deployment.transport([]));
    const query = { case: 'listServices', value: '*' } as const;
    const requests = toStream([{ host: 'h', messageRequest: query }]);
    for await (const response of client.serverReflectionInfo(requests)) {
      assert.equal(response.validHost, 'h');
      assert.deepEqual(response.originalRequest?.messageRequest, query);
      assert.equal(response.messageResponse.case, 'listServicesResponse');
    }
  });

  it('rejects more than 100 streams from an address, until one ends', async () => {
    const closing = new AbortController();
    const open = async (signal: AbortSignal): Promise<void> => {
      const never = async function* () {
        yield { host: 'h', messageRequest: { case: 'listServices', value: '*' } } as const;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      };
      const responses = makeClient(deployment).serverReflectionInfo(never(), { signal });
      await responses[Symbol.asyncIterator]().next();
    };
    await Promise.all(Array.from({ length: 100 }, async () => open(closing.signal)));
    const isRejected = (error: unknown) => {
      const { code, rawMessage } = ConnectError.from(error);
      return code === Code.ResourceExhausted && rawMessage.includes('from this address');
    };
    await assert.rejects(sendQueries({ case: 'listServices', value: '*' }), isRejected);
    closing.abort();
    await waitUntil(async () =>
      sendQueries({ case: 'listServices', value: '*' }).then(
        () => true,
        () => false,
      ),
    );
  });

  it('supports buf without .proto files', async function () {
    this.timeout(BUF_LIMIT_MS);
    const { apiKeyId: id, apiKey: key } = deployment.owner;
    const token = await signInToken(deployment, { id, key });
    for (const reflection of REFLECTION_VERSIONS) {
      const health = `${deployment.url}/grpc.health.v1.Health/Check`;
      assert.deepEqual(await callWithBuf(health, {}, { reflection }), { status: 'SERVING' });
      const list = `${deployment.url}/viam.app.v1.AppService/ListOrganizations`;
      const headers = [`authorization: Bearer ${token}`];
      const { organizations } = await callWithBuf(list, {}, { reflection, headers });
      assert.ok(Array.isArray(organizations) && organizations.length > 0);
    }
  });
});
