import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { create, createFileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import {
  connectNodeAdapter,
  createGrpcTransport,
  Http2SessionManager,
} from '@connectrpc/connect-node';
import { DataService } from '../../../src/gen/viam/app/data/v1/data_pb';
import { DescribedApi } from '../../../src/moduleRun/moduleClient';
import { waitUntil } from '../../support/waitUntil';

describe('DescribedApi.call', () => {
  it('cancels an endless stream after its first responses', async () => {
    let isCanceled = false;
    const server = createServer(
      connectNodeAdapter({
        routes: (router) => {
          router.service(DataService, {
            async *exportTabularData(_, { signal }) {
              signal.addEventListener('abort', () => (isCanceled = true));
              while (!signal.aborted) {
                yield {};
                await new Promise((resolve) => setImmediate(resolve));
              }
            },
          });
        },
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const sessionManager = new Http2SessionManager(baseUrl);
    try {
      const transport = createGrpcTransport({ baseUrl, sessionManager });
      const registry = createFileRegistry(create(FileDescriptorSetSchema));
      const api = new DescribedApi(transport, DataService, registry);
      const never = new AbortController().signal;
      const answers = await api.call('ExportTabularData', 'arm', {}, never);
      assert.equal((answers as unknown[]).length, 10);
      await waitUntil(() => isCanceled);
    } finally {
      sessionManager.abort();
      server.close();
    }
  });
});
