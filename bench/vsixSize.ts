import { statSync } from 'node:fs';
import { packExtension } from '../scripts/support/packExtension';

/** What the product may weigh, with the fleet service inside. */
const budgetBytes = 3 * 1024 * 1024;

const bytes = statSync(packExtension()).size;
console.log(
  JSON.stringify({
    name: 'vsixSize',
    ratio: bytes / budgetBytes,
    against: 'a budget of 3 MiB',
    bytes,
  }),
);
