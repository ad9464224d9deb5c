import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from '@connectrpc/connect-node';
import {
  FileUploadRequestSchema,
  DataSyncService,
} from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { DatasetService } from '../../src/gen/viam/app/dataset/v1/dataset_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { type FleetServer, startFleetServer } from '../../src/service/server/fleetServer';
import type { TlsCertificate } from '../../src/service/server/portListener';
import { echoRoutes, FAILING_PART, INNER_SECRET, MISSING_PART } from '../support/echoRoutes';
import { RecordingLogger } from '../support/recordingLogger';
import { makeCertificate } from '../support/testCertificate';

type MakeTransport = (baseUrl: string, certificate?: string) => Transport;

const protocols: Record<string, MakeTransport> = {
  'gRPC over HTTP/2': (baseUrl, ca) =>
    createGrpcTransport({ baseUrl, ...(ca && { nodeOptions: { ca } }) }),
  'gRPC-web over HTTP/1.1': (baseUrl, ca) =>
    createGrpcWebTransport({ baseUrl, httpVersion: '1.1', ...(ca && { nodeOptions: { ca } }) }),
  'gRPC-web over HTTP/2': (baseUrl, ca) =>
    createGrpcWebTransport({ baseUrl, httpVersion: '2', ...(ca && { nodeOptions: { ca } }) }),
  'Connect over HTTP/1.1': (baseUrl, ca) =>
    createConnectTransport({ baseUrl, httpVersion: '1.1', ...(ca && { nodeOptions: { ca } }) }),
  'Connect over HTTP/2': (baseUrl, ca) =>
    createConnectTransport({ baseUrl, httpVersion: '2', ...(ca && { nodeOptions: { ca } }) }),
};

const MEBIBYTE = 1024 * 1024;
/** Message size that exceeds the limit of public services. */
const LARGE_MESSAGE = 33 * MEBIBYTE;
/** Time limit for transferring large messages, which takes a long time on a busy computer. */
const LARGE_MESSAGE_LIMIT_MS = 120_000;

for (const encrypted of [false, true]) {
  describe(`the ${encrypted ? 'TLS' : 'plaintext'} port`, function () {
    this.timeout(LARGE_MESSAGE_LIMIT_MS);
    const logger = new RecordingLogger();
    let server: FleetServer;
    let certificate: TlsCertificate | undefined;

    before(async () => {
      certificate = encrypted ? await makeCertificate() : undefined;
      server = await startFleetServer({
        host: '127.0.0.1',
        port: 0,
        tls: certificate,
        routes: echoRoutes,
        interceptors: [],
        // To echo a large response, the service must accept an equally large request.
        findLimit: () => ({ bytes: 65 * MEBIBYTE, values: 10_000 }),
        logger,
      });
    });
    after(() => server.close());

    for (const [name, makeTransport] of Object.entries(protocols)) {
      describe(name, () => {
        const transport = (): Transport => makeTransport(server.url, certificate?.cert);

        it(`${encrypted ? 'requires' : 'does not require'} encrypted connections from browsers`, async () => {
          let value: string | null = null;
          const onHeader = (headers: Headers): void => {
            value = headers.get('strict-transport-security');
          };
          await createClient(AppService, transport()).getRobotPart({}, { onHeader });
          assert.equal(value, encrypted ? 'max-age=31536000' : null);
        });

        it('carries a unary call', async () => {
          const { configJson } = await createClient(AppService, transport()).getRobotPart({
            id: 'part',
          });
          assert.equal(configJson, 'part');
        });

        it('carries a message of 33 MiB', async () => {
          const value = new Uint8Array(LARGE_MESSAGE);
          const { binaryDataId } = await createClient(
            DataSyncService,
            transport(),
          ).dataCaptureUpload({ sensorContents: [{ data: { case: 'binary', value } }] });
          assert.equal(binaryDataId, String(LARGE_MESSAGE));
        });

        it('carries a server stream message by message', async () => {
          const abort = new AbortController();
          const messages: string[] = [];
          const stream = createClient(AppService, transport()).tailRobotPartLogs(
            { id: 'part', filter: 'follow' },
            { signal: abort.signal },
          );
          await assert.rejects(async () => {
            for await (const { logs } of stream) {
              messages.push(...logs.map(({ message }) => message));
              abort.abort();
            }
          }, isError(Code.Canceled));
          assert.deepEqual(messages, ['first']);
        });

        it('carries a client stream', async () => {
          const chunks = [1, 2, 3].map((length) =>
            create(FileUploadRequestSchema, {
              uploadPacket: { case: 'fileContents', value: { data: new Uint8Array(length) } },
            }),
          );
          const { binaryDataId } = await createClient(DataSyncService, transport()).fileUpload(
            (async function* () {
              yield* await Promise.resolve(chunks);
            })(),
          );
          assert.equal(binaryDataId, '6');
        });

        it('returns Unimplemented for a method and for a service that is not served', async () => {
          await assert.rejects(
            createClient(AppService, transport()).listOrganizations({}),
            isError(Code.Unimplemented),
          );
          await assert.rejects(
            createClient(DatasetService, transport()).createDataset({}),
            isError(Code.Unimplemented),
          );
        });

        it('passes on the errors that handlers throw intentionally', async () => {
          await assert.rejects(
            createClient(AppService, transport()).getRobotPart({ id: MISSING_PART }),
            isError(Code.NotFound, /part "missing" does not exist/),
          );
        });

        it('writes the messages of unexpected errors only to the log', async () => {
          const client = createClient(AppService, transport());
          logger.lines.length = 0;
          await assert.rejects(
            client.getRobotPart({ id: FAILING_PART }),
            isError(Code.Internal, /^\[internal\] internal error \(ID [0-9a-f]{16}\)$/),
          );
          await assert.rejects(
            async () => {
              for await (const { logs } of client.tailRobotPartLogs({ id: FAILING_PART })) {
                assert.equal(logs[0]?.message, 'first');
              }
            },
            isError(Code.Internal, /^\[internal\] internal error \(ID [0-9a-f]{16}\)$/),
          );
          const errors = logger.lines.filter(({ level }) => level === 'error');
          assert.equal(errors.length, 2);
          assert.ok(errors.every(({ fields }) => String(fields.error).includes(INNER_SECRET)));
        });
      });
    }

    it('accepts messages of 64 MiB with metadata, and rejects larger ones', async () => {
      const ca = certificate && { ca: certificate.cert };
      // Node's client resets a stream if its response arrives while more data than this is waiting
      // to be sent.
      const nodeOptions = { maxSessionMemory: 256, ...ca };
      const session = new Http2SessionManager(server.url, undefined, nodeOptions);
      const client = createClient(
        DataSyncService,
        createGrpcTransport({ baseUrl: server.url, sessionManager: session }),
      );
      const upload = (length: number) =>
        client.dataCaptureUpload({
          sensorContents: [{ data: { case: 'binary', value: new Uint8Array(length) } }],
        });
      const { binaryDataId } = await upload(64 * MEBIBYTE);
      assert.equal(binaryDataId, String(64 * MEBIBYTE));
      await assert.rejects(upload(66 * MEBIBYTE), isError(Code.ResourceExhausted));
      // Without this, the server would wait several seconds for the rest of the upload before it
      // closes.
      session.abort();
    });

    it('returns a message of 33 MiB', async () => {
      const transport = createGrpcTransport({
        baseUrl: server.url,
        ...(certificate && { nodeOptions: { ca: certificate.cert } }),
      });
      const id = 'a'.repeat(LARGE_MESSAGE);
      const { configJson } = await createClient(AppService, transport).getRobotPart({ id });
      assert.ok(configJson === id);
    });
  });
}

function isError(code: Code, message = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ConnectError, String(error));
    assert.equal(Code[error.code], Code[code], error.message);
    assert.match(error.message, message);
    return true;
  };
}
