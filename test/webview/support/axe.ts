import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** What axe finds wrong with a page as it is: the rule, and the elements that break it. */
export async function axeComplaints(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return page.evaluate<string[]>(
    // Describing every element that breaks no rule would take as long as the rules.
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ html, failureSummary }) => html + failureSummary).join('; ')))`,
  );
}
