import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { drawn } from './webviewPage';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * Returns the violations that axe finds on a page: each rule with the elements that break it. Waits
 * first, because components apply their properties only in the next frame.
 */
export async function findAxeViolations(page: Page): Promise<readonly string[]> {
  await drawn(page);
  await page.evaluate(axeSource);
  return page.evaluate<string[]>(
    // Describing the elements without violations would take as long as checking the rules.
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ html, failureSummary }) => html + failureSummary).join('; ')))`,
  );
}
