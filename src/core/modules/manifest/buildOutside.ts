import type { ManifestFinding } from './manifestFinding';

/** Returns the finding for a build whose path leads out of the manifest's folder through a link. */
export function buildOutside(path: string): ManifestFinding {
  return {
    code: 'buildOutside',
    severity: 'error',
    ...{ args: ['build.path', path], path: ['build', 'path'], fixes: [] },
  };
}
