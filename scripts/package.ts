import { statSync } from 'node:fs';
import { packExtension } from './support/packExtension';

try {
  const vsix = packExtension();
  const megabytes = (statSync(vsix).size / 1024 / 1024).toFixed(2);
  console.log(`${vsix}: ${megabytes} MiB`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
