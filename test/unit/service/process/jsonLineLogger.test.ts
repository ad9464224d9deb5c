import assert from 'node:assert/strict';
import { CallContext } from '../../../../src/service/server/callIdentity';
import { JsonLineLogger } from '../../../../src/service/process/jsonLineLogger';

describe('the JSON line logger', () => {
  const lines: string[] = [];
  const now = new Date('2026-01-02T03:04:05.678Z');
  const logger = new JsonLineLogger('info', (line) => lines.push(line), { now: () => now });

  beforeEach(() => {
    lines.length = 0;
  });

  it('writes one object per line, regardless of the message', () => {
    logger.info('two\nlines', { url: 'http://127.0.0.1:1', pid: 7 });
    assert.deepEqual(lines, [
      '{"time":"2026-01-02T03:04:05.678Z","level":"info","message":"two\\nlines",' +
        '"url":"http://127.0.0.1:1","pid":7}\n',
    ]);
  });

  it('omits lines below its level', () => {
    logger.trace('trace');
    logger.debug('debug');
    logger.warn('warn');
    logger.error('error');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { level: string }).level),
      ['warn', 'error'],
    );
  });

  it('adds the identity of the call that writes a line', async () => {
    const context = new CallContext();
    const inCalls = new JsonLineLogger(
      'info',
      (line) => lines.push(line),
      { now: () => now },
      () => context.fields,
    );
    await new Promise<void>((resolve) => {
      context.run({ requestId: 'a1' }, () => {
        setImmediate(() => {
          inCalls.info('inside', { part: 'p' });
          resolve();
        });
      });
      inCalls.info('outside');
    });
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { requestId?: string }).requestId),
      [undefined, 'a1'],
    );
  });

  it('never writes the value of a secret field', () => {
    const canary = 'canary';
    logger.info('oops', {
      apiKey: canary,
      access_token: canary,
      Authorization: canary,
      partSecret: canary,
      payload: canary,
      apiKeyId: 'shown',
    });
    assert.doesNotMatch(lines.join(''), /canary/);
    assert.match(lines.join(''), /"apiKeyId":"shown"/);
  });
});
