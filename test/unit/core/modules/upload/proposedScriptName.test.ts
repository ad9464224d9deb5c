import assert from 'node:assert/strict';
import type { KnownItemType } from '../../../../../src/core/model/registryItem';
import { proposedScriptName } from '../../../../../src/core/model/packageNames';

const item = (name: string, type: KnownItemType = 'module') => ({ name, type });

describe('proposedScriptName', () => {
  it('is that of the folder or the archive, in letters of names', () => {
    assert.equal(proposedScriptName('find boxes!.tar.gz', []), 'find-boxes');
    assert.equal(proposedScriptName('boxes.tgz', []), 'boxes');
    assert.equal(proposedScriptName('\u00e9\u00e9', []), 'training-script');
    assert.equal(proposedScriptName('x'.repeat(255), []).length, 200);
  });

  it('is that of a training script which is there, of which it is a version then', () => {
    assert.equal(proposedScriptName('boxes', [item('boxes', 'trainingScript')]), 'boxes');
  });

  it('is none that a module or a model has', () => {
    const taken = [item('boxes'), item('boxes-training', 'mlModel')];
    assert.equal(proposedScriptName('boxes', taken.slice(0, 1)), 'boxes-training');
    assert.equal(proposedScriptName('boxes', taken), 'boxes-training-2');
    const long = 'x'.repeat(200);
    assert.equal(proposedScriptName(long, [item(long)]).length <= 200, true);
  });
});
