import assert from 'node:assert/strict';
import { hasLowerTimeBound } from '../../../../../src/host/features/query/results/runStatus';

const sql = (condition: string) =>
  hasLowerTimeBound({ language: 'sql', text: `select time_received from readings ${condition}` });
const mql = (...stages: readonly object[]) =>
  hasLowerTimeBound({ language: 'mql', text: JSON.stringify(stages) });

describe('hasLowerTimeBound', () => {
  for (const condition of [
    "where time_received >= '2026-01-01'",
    `where r."time_received"::date > now() - interval '1 day'`,
    "where Time_Received BETWEEN '2026-01-01' AND '2026-01-02'",
    "where date_trunc('day', time_received) = '2026-01-01'",
    'where cast(time_received as date) >= today()',
    "where part_id = 'a' and now() - interval '1 day' < time_received",
  ]) {
    it(`finds the bound of SQL: ${condition}`, () => assert.ok(sql(condition)));
  }

  for (const condition of [
    '',
    "where part_id = 'a' order by time_received",
    "where time_received < '2026-01-01'",
    "where '2026-01-01' > time_received",
    "where time_received <> '2026-01-01'",
    "where part_id = 'time_received >= 1' -- time_received >= 1",
    '/* one /* two */ time_received >= 1 */',
    'where part_id = $$time_received >= 1$$',
  ]) {
    it(`finds no bound of SQL: ${condition}`, () => assert.ok(!sql(condition)));
  }

  it('finds the bound of MQL', () => {
    const from = { $date: '2026-01-01T00:00:00Z' };
    assert.ok(mql({ $match: { time_received: { $gte: from } } }));
    assert.ok(mql({ $match: { $and: [{ part_id: 'a' }, { time_received: from }] } }));
    assert.ok(mql({ $match: { $expr: { $gt: ['$time_received', from] } } }));
    assert.ok(mql({ $match: { $expr: { $and: [{ $lte: [from, '$time_received'] }] } } }));
  });

  it('finds no bound of MQL', () => {
    assert.ok(!mql({ $match: { part_id: 'a' } }));
    assert.ok(!mql({ $match: { time_received: { $lt: 5 } } }));
    assert.ok(!mql({ $match: { $or: [{ time_received: { $gt: 5 } }, { part_id: 'a' }] } }));
    assert.ok(!hasLowerTimeBound({ language: 'mql', text: 'no pipeline' }));
  });
});
