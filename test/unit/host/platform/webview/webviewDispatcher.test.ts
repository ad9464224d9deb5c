import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/emitter';
import { FleetError } from '../../../../../src/core/api/errors';
import { WebviewDispatcher } from '../../../../../src/host/platform/webview/webviewDispatcher';
import { isUndefined, isNumber, isShape, isString } from '../../../../../src/shared/guards';
import {
  command,
  notification,
  request,
  type HostHandlers,
} from '../../../../../src/shared/protocol';
import { silentLogger } from '../../../../support/silentLogger';

const protocol = {
  double: request(isShape<{ readonly of: number }>({ of: isNumber }), isNumber),
  hang: request(isUndefined, isUndefined),
  open: command(isString),
  changed: notification(isUndefined),
} as const;

describe('WebviewDispatcher', () => {
  let inbound: Emitter<unknown>;
  let sent: unknown[];
  let presented: unknown[];
  let opened: string[];
  let hanging: AbortSignal | undefined;
  let dispatcher: WebviewDispatcher<typeof protocol>;

  const handlers: HostHandlers<typeof protocol> = {
    double: ({ of }) => {
      if (of < 0) {
        throw new FleetError('unavailable', 'Cannot reach the service.', {
          action: 'retry',
          cause: new Error('ECONNREFUSED /home/ada'),
        });
      }
      return Promise.resolve(of * 2);
    },
    hang: (_, signal) =>
      new Promise((_resolve, reject) => {
        hanging = signal;
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    open: (name) => {
      if (name === 'missing') throw new FleetError('notFound', 'It was deleted.');
      opened.push(name);
    },
  };

  beforeEach(() => {
    inbound = new Emitter();
    [sent, presented, opened, hanging] = [[], [], [], undefined];
    const port = {
      onDidReceiveMessage: inbound.event,
      postMessage: (message: unknown) => Promise.resolve(sent.push(structuredClone(message)) > 0),
    };
    const present = (error: unknown): unknown => presented.push(error);
    dispatcher = new WebviewDispatcher(protocol, port, handlers, present, silentLogger);
  });

  async function say(message: unknown): Promise<void> {
    inbound.fire(message);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }

  it('responds to requests by their ID', async () => {
    await say({ type: 'request', id: 7, method: 'double', params: { of: 21 } });
    assert.deepEqual(sent, [{ type: 'result', id: 7, result: 42 }]);
  });

  it('sends only kind, message, and action of an error', async () => {
    await say({ type: 'request', id: 1, method: 'double', params: { of: -1 } });
    assert.deepEqual(sent, [
      {
        type: 'error',
        id: 1,
        error: { kind: 'unavailable', message: 'Cannot reach the service.', action: 'retry' },
      },
    ]);
  });

  it('runs commands and presents their errors', async () => {
    await say({ type: 'command', method: 'open', params: 'arm' });
    await say({ type: 'command', method: 'open', params: 'missing' });
    assert.deepEqual(opened, ['arm']);
    assert.equal(presented.length, 1);
    assert.deepEqual(sent, []);
  });

  it('aborts a request that is canceled', async () => {
    await say({ type: 'request', id: 3, method: 'hang' });
    assert.equal(hanging?.aborted, false);
    await say({ type: 'cancel', id: 3 });
    assert.equal(hanging.aborted, true);
  });

  it('aborts running work when the panel closes, and sends nothing more', async () => {
    await say({ type: 'request', id: 3, method: 'hang' });
    dispatcher.dispose();
    await say({ type: 'request', id: 4, method: 'double', params: { of: 1 } });
    assert.equal(hanging?.aborted, true);
    assert.deepEqual(sent, []);
  });

  it('sends notifications', () => {
    dispatcher.notify('changed', undefined);
    assert.deepEqual(sent, [{ type: 'notification', method: 'changed', params: undefined }]);
  });

  it('ignores invalid messages', async () => {
    const misfits: unknown[] = [
      undefined,
      null,
      'open',
      [],
      {},
      { type: 'request', method: 'double', params: { of: 1 } },
      { type: 'request', id: '1', method: 'double', params: { of: 1 } },
      { type: 'request', id: 1, method: 'double', params: { of: '1' } },
      { type: 'request', id: 1, method: 'double', params: { of: Number.NaN } },
      { type: 'request', id: 1, method: 'open', params: 'arm' },
      { type: 'request', id: 1, method: 'toString' },
      { type: 'command', method: 'open', params: { evil: true } },
      { type: 'command', method: 'constructor' },
      { type: 'command', method: '__proto__' },
      { type: 'notification', method: 'changed' },
      { type: 'cancel', id: 99 },
    ];
    for (const misfit of misfits) await say(misfit);
    assert.deepEqual([sent, opened, presented], [[], [], []]);
  });
});
