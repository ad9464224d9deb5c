import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { drawn } from './webviewPage';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * Returns the violations that axe finds on a page: the rule, and the elements that break it.
 * Components apply their properties in the next frame.
 */
export async function findAxeViolations(page: Page): Promise<readonly string[]> {
  await drawn(page);
  await page.evaluate(axeSource);
  return page.evaluate<string[]>(
    // Describing all elements without violations would take as long as the rules.
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ html, failureSummary }) => html + failureSummary).join('; ')))`,
  );
}
