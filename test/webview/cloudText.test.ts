import assert from 'node:assert/strict';
import { CloudFormatter } from '../../webview/data/clouds/cloudViewer';

describe('CloudFormatter.value', () => {
  it('writes very large and very small values with an exponent', () => {
    const text = new CloudFormatter('en-US');
    assert.deepEqual(
      [0, 12.3456, -250_000, 1e38, -1.5e12, 2e-12].map((value) => text.value(value)),
      ['0', '12.35', '-250,000', '1E38', '-1.5E12', '2E-12'],
    );
  });
});
