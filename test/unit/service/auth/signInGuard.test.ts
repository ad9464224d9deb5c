import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { SignInGuard } from '../../../../src/service/auth/signInGuard';
import { RecordingLogger } from '../../../support/recordingLogger';

const HOME = '127.0.0.1';

describe('SignInGuard', () => {
  const { signal } = new AbortController();
  let logger: RecordingLogger;
  let waits: number[];
  let guard: SignInGuard;

  beforeEach(() => {
    logger = new RecordingLogger();
    waits = [];
    const sleep = (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      return Promise.resolve();
    };
    guard = new SignInGuard({ logger, sleep, now: () => 0 });
  });

  const attempt = (
    id: string,
    isRight = false,
    address: string | undefined = HOME,
  ): Promise<string | undefined> =>
    guard.attempt(id, address, signal, () => Promise.resolve(isRight ? 'token' : undefined));

  async function fail(count: number, id = (index: number): string => String(index)): Promise<void> {
    for (let index = 0; index < count; index += 1) await attempt(id(index));
  }

  const isRejection = (error: unknown): boolean =>
    error instanceof ConnectError && error.code === Code.ResourceExhausted;

  it('delays guesses for one ID, then rejects them, including the correct one', async () => {
    await fail(10, () => 'key');
    assert.deepEqual(waits, []);
    await fail(11, () => 'key');
    assert.deepEqual(waits.slice(-1), [10_000]);
    await assert.rejects(attempt('key', true), isRejection);
    assert.equal(await attempt('other', true), 'token');
    assert.equal(await attempt('key', true, '192.0.2.1'), 'token');
  });

  it('counts the failures of all addresses of an IPv6 network together', async () => {
    for (let index = 0; index < 11; index += 1) {
      await attempt('key', false, `2001:db8::${index}`);
    }
    assert.equal(waits.length, 1);
    assert.equal(await attempt('key', true, '2001:db8:0:1::1'), 'token');
    assert.equal(waits.length, 1);
  });

  it('delays callers that try many IDs, but not those with a valid key', async () => {
    await fail(99);
    assert.deepEqual(waits, []);
    await fail(11, (index) => `another ${index}`);
    await assert.rejects(attempt('one more'), isRejection);
    assert.equal(await attempt('key', true), 'token');
  });

  it('logs a burst when it starts and each time it doubles, without IDs', async () => {
    await fail(45);
    const lines = logger.lines.map((line) => JSON.stringify(line));
    assert.equal(lines.length, 3);
    for (const [index, failures] of [10, 20, 40].entries()) {
      assert.match(lines[index] ?? '', new RegExp(`failures\\D+${failures}\\b`));
    }
  });

  it('does not limit calls within the process', async () => {
    for (let index = 0; index < 50; index += 1) {
      const verified = await guard.attempt<string>('key', undefined, signal, () =>
        Promise.resolve(undefined),
      );
      assert.equal(verified, undefined);
    }
    assert.deepEqual(waits, []);
  });
});
