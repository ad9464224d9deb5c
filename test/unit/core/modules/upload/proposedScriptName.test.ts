import assert from 'node:assert/strict';
import type { KnownItemType } from '../../../../../src/core/model/registryItem';
import { proposedScriptName } from '../../../../../src/core/model/packageNames';

const item = (name: string, type: KnownItemType = 'module') => ({ name, type });

describe('proposedScriptName', () => {
  it('returns the name of the folder or the archive, with valid characters', () => {
    assert.equal(proposedScriptName('find boxes!.tar.gz', []), 'find-boxes');
    assert.equal(proposedScriptName('boxes.tgz', []), 'boxes');
    assert.equal(proposedScriptName('\u00e9\u00e9', []), 'training-script');
    assert.equal(proposedScriptName('x'.repeat(255), []).length, 200);
  });

  it('returns the name of an existing training script, for a new version', () => {
    assert.equal(proposedScriptName('boxes', [item('boxes', 'trainingScript')]), 'boxes');
  });

  it('returns no name of a module or a model', () => {
    const taken = [item('boxes'), item('boxes-training', 'mlModel')];
    assert.equal(proposedScriptName('boxes', taken.slice(0, 1)), 'boxes-training');
    assert.equal(proposedScriptName('boxes', taken), 'boxes-training-2');
    const long = 'x'.repeat(200);
    assert.equal(proposedScriptName(long, [item(long)]).length <= 200, true);
  });
});
