import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { NamespaceCheck } from '../../../../src/core/stores/namespaceCheck';

interface Question {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly answer: (available: boolean) => void;
  readonly fail: (error: Error) => void;
}

describe('NamespaceCheck', () => {
  let questions: Question[];
  let pauses: (() => void)[];
  let check: NamespaceCheck;
  let changes: number;

  beforeEach(() => {
    questions = [];
    pauses = [];
    changes = 0;
    check = new NamespaceCheck(
      (name, { signal }) =>
        new Promise((answer, fail) => questions.push({ name, signal, answer, fail })),
      (_, signal) =>
        new Promise((resolve, reject) => {
          pauses.push(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    check.onDidChange(() => (changes += 1));
  });

  afterEach(() => check.dispose());

  async function pause(): Promise<void> {
    for (const resolve of pauses) resolve();
    await tick();
  }

  async function tick(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  function getRequests(): readonly string[] {
    return questions.map(({ name }) => name);
  }

  it('makes no call for an invalid namespace', async () => {
    assert.equal(check.getState('').kind, 'empty');
    assert.equal(check.getState('Acme').kind, 'characters');
    assert.equal(check.getState('ac me').kind, 'characters');
    await pause();
    assert.deepEqual(getRequests(), []);
  });

  it('makes one call after the typing pauses, and reports the result', async () => {
    for (const text of ['a', 'ac', 'acm', 'acme']) {
      assert.equal(check.getState(text).kind, 'checking');
    }
    await pause();
    assert.deepEqual(getRequests(), ['acme']);
    questions[0]?.answer(true);
    await tick();
    assert.equal(changes, 1);
    assert.equal(check.getState('acme').kind, 'available');
    assert.deepEqual(getRequests(), ['acme']);
  });

  it('cancels the call when the text changes', async () => {
    check.getState('acme');
    await pause();
    check.getState('acme-2');
    assert.ok(questions[0]?.signal.aborted);
    questions[0].answer(true);
    await tick();
    assert.equal(check.getState('acme-2').kind, 'checking');
    await pause();
    questions[1]?.answer(false);
    await tick();
    assert.equal(check.getState('acme-2').kind, 'taken');
    assert.equal(changes, 1);
  });

  it('waits for the result of a check in progress', async () => {
    const settled = check.waitForState('acme');
    await pause();
    questions[0]?.answer(false);
    assert.equal((await settled).kind, 'taken');
  });

  it('stores why a check failed, and repeats it when needed', async () => {
    check.getState('acme');
    await pause();
    questions[0]?.fail(new FleetError('unavailable', 'The service is away.'));
    await tick();
    const failed = check.getState('acme');
    assert.ok(failed.kind === 'failed' && failed.error.kind === 'unavailable');
    const settled = check.waitForState('acme');
    await pause();
    questions[1]?.answer(true);
    assert.equal((await settled).kind, 'available');
  });

  it('stops when the user cancels', async () => {
    check.getState('acme');
    await pause();
    check.dispose();
    assert.ok(questions[0]?.signal.aborted);
  });
});
