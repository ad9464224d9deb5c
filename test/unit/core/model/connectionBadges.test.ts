import assert from 'node:assert/strict';
import { connectionBadges } from '../../../../src/core/model/connection';
import { connectionId } from '../../../../src/core/model/ids';

function badges(...labels: readonly string[]): readonly string[] {
  const connections = labels.map((label, index) => ({ id: connectionId(`c${index}`), label }));
  return [...connectionBadges(connections).values()];
}

describe('the badges of connections', () => {
  it('are the initials of two words, or the first two letters of one', () => {
    assert.deepEqual(badges('Local Fleet', 'acme', 'Straße', '– ärzte & Co.'), [
      ...['LF', 'AC', 'ST', 'ÄC'],
    ]);
  });

  it('are numbers if others would have the same badge, or no letter exists', () => {
    assert.deepEqual(badges('Fleet A', 'fab', 'Factory', '…', '𝒜x'), ['1', '2', '3', '4', '𝒜X']);
  });

  it('are omitted for a single connection', () => {
    assert.deepEqual(badges('Local Fleet'), []);
  });
});
