import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import type { TrainingLogPage } from '../../../../src/core/model/trainingJob';
import { TrainingLogReader } from '../../../../src/core/training/trainingLogReader';

/**
 * A growing log that is read in pages of two lines. Each token contains the first line of its page.
 */
class GrowingLog {
  readonly messages: string[] = [];
  readonly requestedTokens: string[] = [];
  /** Returns the token that the last page contains for the next page. */
  nextAtEnd: (end: number) => string = () => '';

  readonly read = (token: string): Promise<TrainingLogPage> => {
    this.requestedTokens.push(token);
    const start = Number(token);
    const lines = this.messages.slice(start, start + 2).map((message) => ({
      level: 'info',
      at: undefined,
      message,
    }));
    const end = start + lines.length;
    const next = end < this.messages.length ? String(end) : this.nextAtEnd(end);
    return Promise.resolve({ lines, next });
  };
}

describe('a followed training log', () => {
  const { signal } = new AbortController();
  let log: GrowingLog;
  let follower: TrainingLogReader;

  beforeEach(() => {
    log = new GrowingLog();
    follower = new TrainingLogReader(log.read);
  });

  const texts = (): readonly string[] => follower.lines.map(({ message }) => message);

  for (const [name, nextAtEnd] of [
    ['returns no token after the last page', () => ''],
    ['always returns a token', String],
  ] as const) {
    it(`is read once, and then only new lines, with a service that ${name}`, async () => {
      log.nextAtEnd = nextAtEnd;
      log.messages.push('a', 'b', 'c');
      assert.equal(await follower.read(signal), 3);
      assert.equal(await follower.read(signal), 0);
      log.messages.push('d', 'e');
      assert.equal(await follower.read(signal), 2);
      log.messages.push('f');
      assert.equal(await follower.read(signal), 1);
      assert.deepEqual(texts(), ['a', 'b', 'c', 'd', 'e', 'f']);
    });
  }

  it('reports that a long log needs several reads', async () => {
    log.messages.push(...Array.from({ length: 405 }, (_, line) => String(line)));
    assert.equal(await follower.read(signal), 400);
    assert.equal(follower.hasMore, true);
    assert.equal(await follower.read(signal), 5);
    assert.equal(follower.hasMore, false);
    assert.equal(texts().at(-1), '404');
  });

  it('reports the progress of the training', async () => {
    log.messages.push('Epoch 1/3 - loss: 2', 'Epoch 2/3 - loss: 1');
    await follower.read(signal);
    const { epoch, epochs, points } = follower.progress;
    assert.deepEqual([epoch, epochs, points.length], [2, 3, 2]);
  });

  it('splits a message into lines', async () => {
    log.messages.push('Epoch 1/3\r\n12/12 [=] - loss: 2\nlast');
    await follower.read(signal);
    assert.deepEqual(texts(), ['Epoch 1/3', '12/12 [=] - loss: 2', 'last']);
    assert.equal(follower.progress.points.length, 1);
  });

  it('contains no escape sequences, in the lines and in the progress', async () => {
    log.messages.push(
      '\u001b[1mEpoch \u001b[32m1/3\u001b[0m',
      '\u001b[1m12/12\u001b[0m \u001b[32m━━━\u001b[0m 1s 5ms/step - accuracy: 0.95 - loss: 0.3',
      '\u001b]8;;https://acme.test\u0007docs\u001b]8;;\u0007\u001b[K',
    );
    await follower.read(signal);
    assert.deepEqual(texts(), [
      'Epoch 1/3',
      '12/12 ━━━ 1s 5ms/step - accuracy: 0.95 - loss: 0.3',
      'docs',
    ]);
    assert.equal(follower.progress.points[0]?.metrics.get('loss'), 0.3);
  });

  it('retains the newest lines, and counts the others', async () => {
    log.messages.push(Array.from({ length: 12_000 }, (_, index) => String(index)).join('\n'));
    await follower.read(signal);
    assert.equal(follower.lines.length, 10_000);
    assert.equal(follower.dropped, 2_000);
    assert.equal(follower.lines[0]?.message, '2000');
  });

  it('continues after a page that could not be read', async () => {
    log.messages.push('a', 'b', 'c');
    await follower.read(signal);
    log.messages.push('d', 'e');
    let failures = 1;
    const failing = new TrainingLogReader((token) => {
      if (token !== '' && failures-- > 0) throw new FleetError('unavailable', 'No answer.');
      return log.read(token);
    });
    await assert.rejects(failing.read(signal), /No answer/);
    assert.equal(await failing.read(signal), 3);
    assert.equal(failing.lines.map(({ message }) => message).join(''), 'abcde');
  });
});
