import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { TailRobotPartLogsRequestSchema } from '../../src/gen/viam/app/v1/log_pb';
import { TestClock } from '../support/testClock';
import { type Deployment, signInAsOwner, signInToken, startHttpDeployment } from './deployment';
import { newMachine, newOrganization } from './fleetFixture';

const TIMEOUT_MS = 120_000;
const TAILS = 500;
const ROUNDS = 3;
const ENVELOPE_BYTES = 5;

describe('log tails that a client cancels immediately', function () {
  this.timeout(TIMEOUT_MS);
  let deployment: Deployment;
  let session: ClientHttp2Session;

  beforeEach(async () => {
    deployment = await startHttpDeployment(new TestClock(), 'gRPC');
    session = connect(deployment.url);
    session.on('error', () => undefined);
  });
  afterEach(async () => {
    session.destroy();
    await deployment.stop();
  });

  async function openTail(authorization: string, id: string): Promise<ClientHttp2Stream> {
    const stream = session.request({
      ':method': 'POST',
      authorization,
      te: 'trailers',
      'content-type': 'application/grpc',
      ':path': `/${AppService.typeName}/${AppService.method.tailRobotPartLogs.name}`,
    });
    stream.on('error', () => undefined).resume();
    const request = create(TailRobotPartLogsRequestSchema, { id });
    const message = toBinary(TailRobotPartLogsRequestSchema, request);
    const envelope = Buffer.alloc(ENVELOPE_BYTES + message.length);
    envelope.writeUInt32BE(message.length, 1);
    envelope.set(message, ENVELOPE_BYTES);
    stream.end(envelope);
    await once(stream, 'response');
    return stream;
  }

  it('do not close its connection', async () => {
    const { apiKeyId, apiKey } = deployment.owner;
    const owner = await signInAsOwner(deployment);
    const { part } = await newMachine(owner, (await newOrganization(owner)).id);
    const token = await signInToken(deployment, { id: apiKeyId, key: apiKey });
    for (let round = 0; round < ROUNDS; round += 1) {
      const tails = await Promise.all(
        Array.from({ length: TAILS }, () => openTail(`Bearer ${token}`, part.id)),
      );
      const closed = tails.map((tail) => once(tail, 'close'));
      for (const tail of tails) tail.close(constants.NGHTTP2_CANCEL);
      await Promise.all(closed);
    }
    // The response arrives only after the service has read the cancellations.
    const tail = await openTail(`Bearer ${token}`, part.id);
    assert.deepEqual([session.closed, session.destroyed, tail.closed], [false, false, false]);
  });
});
