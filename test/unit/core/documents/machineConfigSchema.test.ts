import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fromRoot } from '../../../../scripts/support/paths';

const read = (...path: string[]): Record<string, unknown> =>
  JSON.parse(readFileSync(fromRoot(...path), 'utf8')) as Record<string, unknown>;

describe('the schema of machine configs', () => {
  it('explains a document that is not an object with the message of a rejected save', () => {
    // For such a document, the Problems view shows only the schema's message.
    const message = read('media', 'schemas', 'machineConfig.schema.json').errorMessage;
    assert.ok(typeof message === 'string' && message in read('l10n', 'bundle.l10n.json'));
  });
});
