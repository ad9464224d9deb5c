import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fromRoot } from '../../../../scripts/support/paths';
import {
  classify,
  getResolveSeverity,
  severityPolicy,
} from '../../../../src/core/configChecks/severityPolicy';

describe('the policy for severities', () => {
  it('matches docs/ci.md', () => {
    const documented = new Map<string, string>();
    for (const row of readFileSync(fromRoot('docs/ci.md'), 'utf8').matchAll(
      /^\| (?<codes>`\w+`(?:, `\w+`)*) +\| `(?<severity>\w+)` +\|/gm,
    )) {
      const { codes = '', severity = '' } = row.groups ?? {};
      for (const [, code = ''] of codes.matchAll(/`(\w+)`/g)) documented.set(code, severity);
    }
    for (const [code, { severity }] of Object.entries(severityPolicy)) {
      assert.equal(documented.get(code), severity, code);
    }
  });

  it('lowers the severity of a value that can be correct', () => {
    assert.deepEqual(classify('unknownApi'), { code: 'unknownApi', severity: 'warning' });
    assert.deepEqual(classify('unknownApi', true), { code: 'unknownApi', severity: 'hint' });
    assert.deepEqual(classify('missingKey', true), { code: 'missingKey', severity: 'warning' });
  });

  it('treats problems with fragments as errors if the service rejects the config', () => {
    const part = { isFragment: false };
    const fragment = { isFragment: true };
    assert.equal(getResolveSeverity('malformedImport', part), 'error');
    assert.equal(getResolveSeverity('unknownFragment', part), 'warning');
    assert.equal(getResolveSeverity('cycle', fragment), 'error');
    assert.equal(getResolveSeverity('tooDeep', fragment), 'error');
    assert.equal(getResolveSeverity('tooDeep', part), 'warning');
  });
});
