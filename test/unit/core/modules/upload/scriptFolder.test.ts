import assert from 'node:assert/strict';
import {
  hasTrainingFile,
  type NamedFileState,
  TRAINING_FILE,
} from '../../../../../src/core/modules/buildFacts';

const facts = (state: NamedFileState, candidates: readonly string[] = []) => ({
  entrypoint: { path: TRAINING_FILE, state, platform: undefined, candidates },
});

describe('a training script folder', () => {
  it('has an entrypoint that need not be executable', () => {
    assert.ok(hasTrainingFile(facts('ok')));
    assert.ok(hasTrainingFile(facts('notExecutable')));
    assert.ok(!hasTrainingFile(facts('directory')));
    assert.ok(!hasTrainingFile(facts('missing', ['training.py', 'tools/training.py'])));
    assert.ok(!hasTrainingFile({ entrypoint: undefined }));
  });

  it('can have the entrypoint in its only folder, as Python packs it', () => {
    assert.ok(hasTrainingFile(facts('missing', ['learn-0.1/model/training.py'])));
    assert.ok(!hasTrainingFile(facts('missing', ['a/b/model/training.py'])));
  });
});
