import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { FleetError } from '../../../../src/core/api/errors';
import { getRequestId } from '../../../../src/core/api/failedCall';
import { partId } from '../../../../src/core/model/ids';
import { type HttpFleet, openHttpFleet } from '../../../support/httpFleet';
import { RecordingLogger } from '../../../support/recordingLogger';
import { waitUntil } from '../../../support/waitUntil';

describe('the request ID of a failed call', () => {
  const serviceLogger = new RecordingLogger();
  const clientLogger = new RecordingLogger();
  let fleet: HttpFleet;

  before(async () => {
    fleet = await openHttpFleet(() => false, serviceLogger, clientLogger);
  });
  after(() => fleet.close());

  /** Waits until the service has logged a call; returns the parsed line. */
  async function findServiceLine(method: string): Promise<Record<string, unknown>> {
    const find = () =>
      serviceLogger.lines.find(
        ({ message, fields }) => message === 'call' && String(fields.method).endsWith(`/${method}`),
      );
    await waitUntil(() => find() !== undefined);
    return { ...find()?.fields };
  }

  it("matches the log of the service, in the error and in the client's log", async () => {
    const { parts } = fleet.session.stores;
    const error = await parts.readContact(partId('unknown')).catch((reason: unknown) => reason);
    assert.ok(error instanceof FleetError);
    const { requestId: id, code } = await findServiceLine('GetRobotPart');
    assert.equal(code, 'NotFound');
    assert.equal(error.requestId, id);
    const line = clientLogger.lines.find(({ message }) => message === 'AppService/GetRobotPart');
    assert.equal(line?.fields.requestId, id);
  });

  it('is omitted if the service sends none or an invalid one', () => {
    const make = (id: string): ConnectError =>
      new ConnectError('failed', Code.Internal, { 'x-request-id': id });
    assert.equal(getRequestId(make('a1-b2')), 'a1-b2');
    assert.equal(getRequestId(make('two words')), undefined);
    assert.equal(getRequestId(make('x'.repeat(65))), undefined);
    assert.equal(getRequestId(new ConnectError('failed')), undefined);
    assert.equal(getRequestId(new Error('failed')), undefined);
  });
});
