import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { createContextValues } from '@connectrpc/connect';
import { FairStarts } from '../../../../src/service/server/fairBudget';
import { startFleetServer } from '../../../../src/service/server/fleetServer';
import type { Admit } from '../../../../src/service/server/rpcListener';
import { echoRoutes } from '../../../support/echoRoutes';
import { RecordingLogger } from '../../../support/recordingLogger';

const FLOOD = 1_000;
const FEW = 10;
const RESETS = 150;

describe('FairStarts', () => {
  it('starts calls of a connection in their order, a few in each tick of the event loop', async () => {
    const starts = new FairStarts<string>();
    const order: number[] = [];
    const all = Array.from({ length: 20 }, async (_, n) => {
      await starts.wait('a');
      order.push(n);
    });
    const startedAfterTurns: number[] = [];
    while (order.length < 20) {
      await new Promise((resolve) => setImmediate(resolve));
      startedAfterTurns.push(order.length);
    }
    await Promise.all(all);
    assert.deepEqual(order, [...order.keys()]);
    const [first = 0, second = 0] = startedAfterTurns;
    assert.ok(first <= 16 && second > first, startedAfterTurns.join());
  });

  it('starts a call of another connection before the rest of a flood', async () => {
    const starts = new FairStarts<string>();
    let count = 0;
    const flood = Array.from({ length: FLOOD }, async () => {
      await starts.wait('flood');
      count += 1;
    });
    await starts.wait('another');
    assert.ok(count <= 2 * FEW, `${count} calls of the flood came first`);
    await Promise.all(flood);
    assert.equal(count, FLOOD);
  });
});

describe('reset calls', () => {
  it('are not handled if they have not started', async () => {
    let admitted = 0;
    const admit: Admit = () => {
      admitted += 1;
      return Promise.resolve({ values: createContextValues(), caller: ['test'], isKnown: true });
    };
    const server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: echoRoutes,
      interceptors: [],
      admit,
      logger: new RecordingLogger(),
    });
    const session = connect(server.url);
    await once(session, 'connect');
    const streams = Array.from({ length: RESETS }, () => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/viam.app.v1.AppService/GetRobotPart',
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      return stream.on('error', () => undefined);
    });
    const closed = streams.map((stream) => once(stream, 'close'));
    // The headers are sent at the end of this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    streams.forEach((stream) => stream.close());
    await Promise.all(closed);
    session.destroy();
    await server.close();
    assert.ok(admitted < RESETS / 2, `${admitted} calls were handled`);
  });
});
