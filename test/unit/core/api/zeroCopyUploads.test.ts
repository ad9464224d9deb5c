import assert from 'node:assert/strict';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import type { UniversalClientRequest } from '@connectrpc/connect/protocol';
import { createTransport } from '@connectrpc/connect/protocol-grpc';
import { ZeroCopyUploads } from '../../../../src/core/api/grpcWire';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { UploadModuleFileRequestSchema } from '../../../../src/gen/viam/app/v1/registry_pb';

type Part = MessageInitShape<typeof UploadModuleFileRequestSchema>;

const head: Part = {
  moduleFile: {
    case: 'moduleFileInfo',
    value: { moduleId: 'acme:wheels', version: '1.0.0', platform: 'linux/arm64' },
  },
};
const createPart = (length: number): Part => ({
  moduleFile: { case: 'file', value: new Uint8Array(length).fill(length % 251) },
});

/** Returns the wire data of these messages, in the buffers that contain it. */
async function sent(messages: readonly Part[]): Promise<readonly Uint8Array[]> {
  const uploads = new ZeroCopyUploads();
  const written: Uint8Array[] = [];
  const transport = createTransport({
    baseUrl: 'http://127.0.0.1',
    httpClient: uploads.over(async ({ body }: UniversalClientRequest) => {
      for await (const bytes of body ?? []) written.push(bytes);
      throw new Error('That was all.');
    }),
    interceptors: [uploads.interceptor],
    useBinaryFormat: true,
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: 1024,
    readMaxBytes: 1024,
    writeMaxBytes: 1024,
  });
  async function* all(): AsyncGenerator<Part> {
    for (const message of messages) yield await Promise.resolve(message);
  }
  await assert.rejects(createClient(AppService, transport).uploadModuleFile(all()));
  return written;
}

/** Returns the same data in gRPC's encoding. */
function enveloped(message: Part): Buffer {
  const bytes = toBinary(
    UploadModuleFileRequestSchema,
    create(UploadModuleFileRequestSchema, message),
  );
  const length = Buffer.alloc(5);
  length.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([length, bytes]);
}

describe('uploads without copies', () => {
  it('send the same bytes as other encoders', async () => {
    const messages = [
      head,
      createPart(1_000_000),
      createPart(16_384),
      createPart(100),
      createPart(0),
    ];
    const expected = Buffer.concat(messages.map(enveloped));
    assert.ok(Buffer.concat(await sent(messages)).equals(expected));
  });

  it('send a large chunk from its original buffer', async () => {
    const large = createPart(70_000);
    const written = await sent([head, large]);
    assert.ok(written.some((bytes) => bytes === large.moduleFile?.value));
  });
});
