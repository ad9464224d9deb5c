import { statSync } from 'node:fs';
import {
  ownVsixLimitBytes,
  packExtension,
  packTarget,
  vsixLimitBytes,
} from '../scripts/support/packExtension';
import { fromRoot } from '../scripts/support/paths';
import { report } from './support/figures';

function compare(name: string, vsix: string, against: string, limitBytes: number): void {
  const { size } = statSync(vsix);
  report({ name, ratio: size / limitBytes, against, aim: '<= 1', bytes: size });
}

const whole = packExtension();
const own = fromRoot('.cache', 'fleetwright-universal.vsix');
packTarget('universal', own);
compare('vsixSize', whole, 'a budget of 30 MB', vsixLimitBytes);
compare('vsixSizeWithoutEngine', own, 'a budget of 3.4 MB', ownVsixLimitBytes);
