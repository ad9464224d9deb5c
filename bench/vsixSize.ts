import { statSync } from 'node:fs';
import { packExtension, packTarget, vsixLimitBytes } from '../scripts/support/packExtension';
import { fromRoot } from '../scripts/support/paths';

/**
 * Maximum size of our own code, which is the extension, the fleet service, and the query program
 * without DuckDB.
 */
const ownLimitBytes = 3 * 1024 * 1024;

function report(name: string, vsix: string, [limit, bytes]: readonly [string, number]): void {
  const { size } = statSync(vsix);
  console.log(JSON.stringify({ name, ratio: size / bytes, against: limit, bytes: size }));
}

const whole = packExtension();
const own = fromRoot('.cache', 'fleetwright-universal.vsix');
packTarget('universal', own);
report('vsixSize', whole, ['a budget of 30 MB', vsixLimitBytes]);
report('vsixSizeWithoutEngine', own, ['a budget of 3 MiB', ownLimitBytes]);
