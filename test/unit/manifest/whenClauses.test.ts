import assert from 'node:assert/strict';
import { evaluateWhen } from '../../../scripts/support/whenClause';
import { all, any, equals, formatWhen, isSet, not, on } from '../../../src/manifest/whenClauses';

describe('when clauses of package.json', () => {
  const connected = isSet('fleetwright.connected');
  const readOnly = isSet('fleetwright.readOnlyKey');

  it('match tokens of a node only as whole tokens', () => {
    const clause = formatWhen(on('part', 'fragment').with('administer'));
    const matches = (viewItem: string): boolean => evaluateWhen(clause, { viewItem });
    assert.ok(matches('administer;online;part'));
    assert.ok(matches('administer;fragment'));
    assert.ok(!matches('administer;fragments'));
    assert.ok(!matches('part'));
  });

  it('exclude nodes with one of the tokens', () => {
    const clause = formatWhen(on('part').isNot('main', 'noQueries'));
    assert.ok(evaluateWhen(clause, { viewItem: 'part' }));
    assert.ok(!evaluateWhen(clause, { viewItem: 'noQueries;part' }));
  });

  it('add parentheses to alternatives and negated conjunctions', () => {
    assert.equal(
      formatWhen(all(connected, any(readOnly, not(all(connected, readOnly))))),
      'fleetwright.connected && (fleetwright.readOnlyKey || ' +
        '!(fleetwright.connected && fleetwright.readOnlyKey))',
    );
  });

  it('negate a context key and a comparison without parentheses', () => {
    assert.equal(formatWhen(not(connected)), '!fleetwright.connected');
    assert.equal(
      formatWhen(not(equals('fleetwright.fleet.grouping', 'status'))),
      'fleetwright.fleet.grouping != status',
    );
  });
});
