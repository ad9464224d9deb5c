import assert from 'node:assert/strict';
import { fillPlaceholders } from '../../webview/ui/format';

describe('placeholders of sentences', () => {
  it('are filled with values as they are, whatever is in them', () => {
    assert.equal(fillPlaceholders('{0}: {1}', 'rover $& {1}', "$' {0}"), "rover $& {1}: $' {0}");
  });

  it('may stand in any order, and stay where there is no value', () => {
    assert.equal(fillPlaceholders('{1} of {0}, {1} {2}', '7', '3'), '3 of 7, 3 {2}');
  });
});
