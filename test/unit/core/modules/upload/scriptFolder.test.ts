import assert from 'node:assert/strict';
import {
  hasTrainingFile,
  type NamedFileState,
  TRAINING_FILE,
} from '../../../../../src/core/modules/buildFacts';

const facts = (state: NamedFileState, candidates: readonly string[] = []) => ({
  entrypoint: { path: TRAINING_FILE, state, platform: undefined, candidates },
});

describe('a training script', () => {
  it('has what a job starts, which need not be executable', () => {
    assert.ok(hasTrainingFile(facts('ok')));
    assert.ok(hasTrainingFile(facts('notExecutable')));
    assert.ok(!hasTrainingFile(facts('directory')));
    assert.ok(!hasTrainingFile(facts('missing', ['training.py', 'tools/training.py'])));
    assert.ok(!hasTrainingFile({ entrypoint: undefined }));
  });

  it('may have it below the one folder that Python packs', () => {
    assert.ok(hasTrainingFile(facts('missing', ['learn-0.1/model/training.py'])));
    assert.ok(!hasTrainingFile(facts('missing', ['a/b/model/training.py'])));
  });
});
