import assert from 'node:assert/strict';
import { FleetError, isCanceled } from '../../src/core/api/errors';
import { promptForStep } from '../../src/host/platform/prompts/prompts';
import { ScriptedPrompts } from './support/scriptedPrompts';

describe('a prompt that closes while its value is being submitted', () => {
  let prompts: ScriptedPrompts;

  beforeEach(() => {
    prompts = new ScriptedPrompts();
  });
  afterEach(() => prompts[Symbol.dispose]());

  async function submitAndLeave(
    submit: (value: string, signal: AbortSignal) => Promise<void>,
  ): ReturnType<typeof promptForStep> {
    const title = 'New API Key';
    const answer = promptForStep({ title, prompt: '', validate: () => undefined, submit });
    const prompt = await prompts.next(title);
    prompt.type('ci');
    prompt.accept();
    prompt.leave();
    return answer;
  }

  it('returns the value if the submission succeeds', async () => {
    assert.deepEqual(await submitAndLeave(() => Promise.resolve()), { back: false, value: 'ci' });
  });

  it('fails like the submission', async () => {
    const error = new FleetError('permission', 'Not allowed.');
    await assert.rejects(
      submitAndLeave(() => Promise.reject(error)),
      error,
    );
  });

  it('is canceled if the submission can be', async () => {
    await assert.rejects(
      submitAndLeave((_, signal) => {
        signal.throwIfAborted();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      }),
      isCanceled,
    );
  });
});
