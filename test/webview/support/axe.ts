import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** What axe finds wrong with a page as it is: the rule, and the elements that break it. */
export async function axeComplaints(page: Page): Promise<readonly string[]> {
  const require = createRequire(import.meta.url);
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ html, failureSummary }) => html + failureSummary).join('; ')))`,
  );
}
