import assert from 'node:assert/strict';
import { loadEmailRule } from '../../../../src/core/validation/emailRule';

describe('the rule for addresses of invitations', () => {
  it('accepts only email addresses', async () => {
    const isEmail = await loadEmailRule();
    for (const text of ['ada@example.com', 'a.b+c@sub.example.co.uk']) {
      assert.ok(isEmail(text), text);
    }
    for (const text of [
      '',
      'ada',
      'ada@',
      '@example.com',
      'a b@example.com',
      'Ada <a@b.example>',
    ]) {
      assert.ok(!isEmail(text), text);
    }
  });
});
