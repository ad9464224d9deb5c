import { gzipSync } from 'node:zlib';
import { tarEnd, tarHeader, tarPadding } from '../../archives/tarHeader';
import type { FilePlan } from './registryPlan';

const PERMISSIONS = 0o755;

/** Returns a `.tar.gz` archive of the given files, all with the same modification time. */
export function demoArchive(files: readonly FilePlan[], at: Date): Uint8Array {
  const chunks = files.flatMap(({ path, text, isExecutable = false }) => {
    const content = Buffer.from(text);
    const entry = {
      path,
      type: 'file',
      size: content.length,
      isExecutable,
      mode: PERMISSIONS,
      mtime: at.getTime(),
    } as const;
    return [tarHeader(entry, isExecutable), content, tarPadding(content.length)];
  });
  return gzipSync(Buffer.concat([...chunks, tarEnd()]));
}
