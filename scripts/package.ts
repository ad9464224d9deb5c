import { statSync } from 'node:fs';
import { packExtension } from './support/packExtension';

const vsix = packExtension();
const megabytes = (statSync(vsix).size / 1024 / 1024).toFixed(2);
console.log(`${vsix}: ${megabytes} MiB`);
